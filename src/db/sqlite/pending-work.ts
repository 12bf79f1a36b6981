import type { PendingCall } from '../../shared/coalesce.ts';
import type { BatchWork, Transaction } from '../database.ts';

/** A transaction that waits for its turn. */
export interface Work {
  run: (tx: Transaction) => Promise<unknown>;
  /** The same work can run once for several items. */
  batch?: { work: BatchWork<unknown, unknown>; item: unknown } | undefined;
  /** The work is refused when the write lock is not free by then (`performance.now()`). */
  untilMs: number;
  isUnsynced?: boolean;
}

export type PendingWork = PendingCall<Work, unknown>;

/** Settles one transaction, after the commit. */
export type Settle = () => void;

/** Groups transactions with the same work, in the order of the first of each group. */
export function byWork(batch: readonly PendingWork[]): Iterable<readonly PendingWork[]> {
  return Map.groupBy(batch, (pending) => pending.item.batch?.work ?? pending).values();
}

export function settleAfterCommit(
  { resolve, reject }: PendingWork,
  value: unknown,
  committed: readonly (() => void)[],
): Settle {
  return () => {
    try {
      for (const action of committed) action();
      resolve(value);
    } catch (error) {
      // The transaction is committed all the same, and the others of the batch must still be settled.
      reject(error);
    }
  };
}

/** What a group comes to: the work of one transaction, or the same work for the items of several. */
export async function valuesOf(
  some: readonly PendingWork[],
  tx: Transaction,
): Promise<readonly unknown[]> {
  const { run, batch } = some[0]!.item;
  if (!batch || some.length === 1) return [await run(tx)];
  return batch.work(
    tx,
    some.map(({ item }) => item.batch!.item),
  );
}

/** The transactions of a group share one list of actions after the commit, which must run once. */
export function settleTogether(
  some: readonly PendingWork[],
  values: readonly unknown[],
  committed: readonly (() => void)[],
): Settle[] {
  return some.map((pending, i) => settleAfterCommit(pending, values[i], i === 0 ? committed : []));
}
