import type { ServerResponse } from 'node:http';
import { Gauge } from 'prom-client';
import type { Caller } from '../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../kernel/declare/errors.ts';
import { HttpResponse } from '../kernel/declare/http-response.ts';
import type { RequestFacts } from '../kernel/declare/operation.ts';
import type { Site } from '../kernel/declare/site.ts';
import { FairQueue, QueueFullError, type FairQueueLimits } from '../shared/fair-queue.ts';
import { isIterable } from './response/send-response.ts';

/** Two are what one caller can keep waiting for the threads and connections of long statements. */
const LIMITS: FairQueueLimits = {
  running: 4,
  runningPerCaller: 2,
  waiting: 200,
  waitingPerCaller: 20,
};
/** Files that a caller may download at a time. */
const DOWNLOADS_PER_CALLER = 4;
const RETRY_AFTER_S = 5;

/** A request whose operation is long. */
interface LongRequest {
  readonly caller: Caller;
  readonly facts: RequestFacts;
  readonly response: ServerResponse;
}

/** The operations that are long: few at a time, in turns for their callers, so that no caller has all of an instance. */
export class LongWork {
  readonly #queue = new FairQueue(LIMITS);
  readonly #downloads = new Map<string, number>();

  constructor({ metrics }: Site) {
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [metrics],
        collect() {
          this.set(read());
        },
      });
    gauge(
      'tributary_long_requests_running',
      'Long requests that are answered.',
      () => this.#queue.runningCount,
    );
    gauge(
      'tributary_long_requests_waiting',
      'Long requests that wait for their turn.',
      () => this.#queue.waitingCount,
    );
  }

  /**
   * Runs it when it is the caller's turn, immediately if there is a place. A streamed response gives its place back as soon as
   * it begins, because a client may read it as slowly as it likes, and counts as a download until it has been sent.
   */
  run({ caller, facts, response }: LongRequest, work: () => unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // All keys and sessions of a person count as one caller.
    const name = caller.person ? `user ${caller.person.id}` : facts.network;
    const answer = async () => {
      try {
        const result = await work();
        const isStreamed = result instanceof HttpResponse && isIterable(result.body);
        if (isStreamed) this.#countDownload(name, response);
        resolve(result);
      } catch (error) {
        reject(error);
      }
    };
    const turn = { name, requireStillThere: () => facts.requireStillThere() };
    this.#queue
      .run(turn, answer)
      .catch((error: unknown) =>
        reject(error instanceof QueueFullError ? tooMany('reports, exports and searches') : error),
      );
    return promise;
  }

  #countDownload(name: string, response: ServerResponse): void {
    const others = this.#downloads.get(name) ?? 0;
    if (others >= DOWNLOADS_PER_CALLER) throw tooMany('downloads');
    this.#downloads.set(name, others + 1);
    whenClosed(response, () => {
      const left = this.#downloads.get(name)! - 1;
      if (left > 0) this.#downloads.set(name, left);
      else this.#downloads.delete(name);
    });
  }
}

function tooMany(what: string): ApiError {
  return new ApiError(generalErrors.rateLimited, {
    message: `Too many ${what} run or wait. Try again in a few seconds.`,
    data: { retry_after: RETRY_AFTER_S },
  });
}

/** A response whose turn on its connection has not come yet does not notice that the connection is closed. */
function whenClosed(response: ServerResponse, act: () => void): void {
  const { socket } = response.req;
  if (response.closed || socket.destroyed) return act();
  const end = () => {
    response.off('close', end);
    socket.off('close', end);
    act();
  };
  response.on('close', end);
  socket.on('close', end);
}
