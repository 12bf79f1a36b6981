import { Coalescer } from '../shared/coalesce.ts';
import type { OpenWork } from '../shared/open-work.ts';

/**
 * A transaction in the background lets others go first no longer than this, so that many writers cannot stop it.
 *
 * @internal Exported for its test.
 */
export const TRANSACTIONS_FIRST_MS = 100;
/** Nor does it wait longer than this for requests, most of which only read. */
const REQUESTS_FIRST_MS = 20;

type Run = () => Promise<unknown>;

/**
 * Runs the transactions that no caller waits for, one at a time: each begins when no request is open and no other
 * transaction runs. Side by side they would be as fast, and an order would wait for all of them.
 */
export class BackgroundQueue {
  readonly #queue: Coalescer<Run, unknown>;

  /** `othersEnded`: resolves when no other transaction runs, but after `waitMsMax` at the latest. */
  constructor(requests: OpenWork, othersEnded: (waitMsMax: number) => Promise<unknown>) {
    this.#queue = new Coalescer({
      max: 1,
      gather: async () => {
        await twoTurns();
        await requests.ended(REQUESTS_FIRST_MS);
        await othersEnded(TRANSACTIONS_FIRST_MS);
      },
      run: async ([pending]) => pending!.resolve(await pending!.item()),
    });
  }

  add<T>(run: () => Promise<T>): Promise<T> {
    // The queue holds work of all types; each call gets the result of its own work.
    return this.#queue.add(run) as Promise<T>;
  }

  /** Resolves when none waits or runs. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}

/** Lets requests be read from their sockets, and then begin. */
export async function twoTurns(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}
