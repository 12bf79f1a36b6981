import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Place } from '../../models/place.ts';
import { importableOf } from '../../support/bundles.ts';
import type { Message } from './server-process.ts';

const file = fileURLToPath(importableOf('test/process/reward-kill/server-process.ts'));

/** A service that is killed and started again while requests are under way. */
export class KilledServer {
  readonly #place: Place;
  #nowMs: number;
  #child!: ChildProcess;
  #url!: Promise<string>;
  #underWay = 0;
  /** Requests and jobs that a kill has cut off. */
  cutOff = 0;
  kills = 0;

  constructor(place: Place, nowMs: number) {
    this.#place = place;
    this.#nowMs = nowMs;
    this.#start();
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  #start(): void {
    this.#child = fork(file);
    const { data, databaseUrl } = this.#place;
    this.#url = this.#ask({ do: 'open', data, databaseUrl, nowMs: this.#nowMs });
    // The next request gets the error.
    this.#url.catch(() => {});
  }

  async #ask(message: Message): Promise<string> {
    const child = this.#child;
    const over = new AbortController();
    const { signal } = over;
    child.send(message);
    const ended = once(child, 'exit', { signal }).then(([code, by]) => {
      throw new Error(`the service ended with ${code ?? by}`);
    });
    try {
      const [answer] = (await Promise.race([once(child, 'message', { signal }), ended])) as [
        string,
      ];
      return answer;
    } finally {
      over.abort();
      ended.catch(() => {});
    }
  }

  /** Moves the clock of the service. */
  async passDays(days: number): Promise<void> {
    this.#nowMs += days * 24 * 60 * 60_000;
    await this.#url;
    await this.#ask({ do: 'clock', nowMs: this.#nowMs });
  }

  /** Kills the process and starts another one. */
  async kill(): Promise<void> {
    // A process that has no address yet has nothing to lose.
    await this.#url;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    this.cutOff += this.#underWay;
    this.kills += 1;
    const restarted = Promise.withResolvers<string>();
    this.#url = restarted.promise;
    await ended;
    this.#start();
    this.#url.then(restarted.resolve, restarted.reject);
    await this.#url;
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** Runs the background jobs, again if the process was killed. */
  async runJobs(): Promise<void> {
    await this.#untilDone(() => this.#ask({ do: 'jobs' }));
  }

  /** Sends a request until it is answered, as a store does. */
  request(path: string, init: RequestInit): Promise<Response> {
    return this.#untilDone(async (url) => {
      const response = await fetch(url + path, init);
      // Read here, because a kill may cut off the body.
      const { status, headers } = response;
      return new Response(await response.arrayBuffer(), { status, headers });
    });
  }

  async #untilDone<T>(work: (url: string) => Promise<T>): Promise<T> {
    for (;;) {
      const url = await this.#url;
      const { kills } = this;
      this.#underWay += 1;
      try {
        return await work(url);
      } catch (error) {
        if (this.kills === kills) throw error;
      } finally {
        this.#underWay -= 1;
      }
    }
  }
}
