import type { Database } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** Rolls back a transaction that was checked successfully. */
const undo = new Error('A rehearsal is undone.');

/** The same site, whose transactions are rolled back after their checks. */
export function rehearsalOf(site: Site): Site {
  const { database } = site;
  const transaction: Database['transaction'] = async (work) => {
    let result: { value: Awaited<ReturnType<typeof work>> } | undefined;
    try {
      await database.transaction(async (tx) => {
        result = { value: await work(tx) };
        throw undo;
      });
    } catch (error) {
      if (error !== undo) throw error;
    }
    return result!.value;
  };
  return {
    ...site,
    database: {
      dialect: database.dialect,
      place: database.place,
      requests: database.requests,
      read: database.read,
      snapshot: (work) => database.snapshot(work),
      transaction,
      batchedTransaction: (work, item) => transaction(async (tx) => (await work(tx, [item]))[0]!),
      error: () => database.error(),
      usePlannerStatistics: () => database.usePlannerStatistics(),
      updateStatistics: () => database.updateStatistics(),
      proveWritable: () => database.proveWritable(),
      sizes: () => database.sizes(),
      diskLeft: () => database.diskLeft(),
      emptyLog: () => database.emptyLog(),
      queriesRun: () => database.queriesRun(),
      onForeignChange: (action) => database.onForeignChange(action),
      noticeForeignChange: () => database.noticeForeignChange(),
      onOwnChange: (action) => database.onOwnChange(action),
      backup: (file) => database.backup(file),
      close: () => database.close(),
    },
  };
}
