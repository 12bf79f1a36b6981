import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '../../../src/kernel/declare/job.ts';
import { perSite, type Site } from '../../../src/kernel/declare/site.ts';

type Start = (name: string, work: () => Promise<void>) => void;

interface LoopsOptions {
  /** Of the job. */
  readonly name: string;
  readonly everyMs: number;
  /** Starts a loop for each connection that has work. */
  startDue(site: Site, start: Start): Promise<void>;
}

/**
 * Work for connections that continues between the runs of a job: a slow store delays no other one. A connection has
 * one loop at a time.
 */
export class ConnectionLoops {
  readonly #options: LoopsOptions;
  readonly #running = perSite(() => new Map<string, Promise<void>>());

  constructor(options: LoopsOptions) {
    this.#options = options;
  }

  get job(): Job {
    const { name, everyMs } = this.#options;
    return {
      name,
      everyMs,
      runsOn: 'one',
      atStop: true,
      run: async (site) => {
        await this.#startDue(site);
        const all = this.#settled(site);
        await (isClosing(site) ? all : Promise.race([all, pause(everyMs)]));
      },
    };
  }

  /** Does everything that is due. */
  async drain(site: Site): Promise<void> {
    await this.#startDue(site);
    await this.#settled(site);
  }

  #startDue(site: Site): Promise<void> {
    const running = this.#running(site);
    return this.#options.startDue(site, (name, work) => {
      if (isClosing(site) || running.has(name)) return;
      const run = work().finally(() => running.delete(name));
      // `#settled` reports the error to the job.
      run.catch(() => {});
      running.set(name, run);
    });
  }

  async #settled(site: Site): Promise<void> {
    await Promise.all(this.#running(site).values());
  }
}

const closing = perSite(() => ({ isClosing: false }));

/** Whether loops are to end with what they are doing. */
export function isClosing(site: Site): boolean {
  return closing(site).isClosing;
}

/** Ends all loops of the site. */
export function closeLoops(site: Site): void {
  closing(site).isClosing = true;
}
