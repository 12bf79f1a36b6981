import type { Transaction } from '../src/db/database.ts';
import { Query } from '../src/db/statements/query.ts';
import { SEVERAL_ROWS } from '../src/db/statements/rows-query.ts';
import { UnitOfWork } from '../src/db/unit-of-work.ts';
import type { Site } from '../src/kernel/declare/site.ts';
import { openStore, type Store } from './engine.ts';

/** The statements of one read or write as the service sends them, with their values. */
export type Recorded = { sql: string; values: unknown[] }[];

/**
 * Every statement is compiled right before it is sent, locks included, so recording compilations
 * records what the work sends, in order.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<Recorded> {
  const recorded: Recorded = [];
  const original = Query.prototype.compiledFor;
  Query.prototype.compiledFor = function compiledFor(dialect, params) {
    const compiled = original.call(this, dialect, params);
    const values = compiled.bind(params as Record<string, unknown>);
    recorded.push({ sql: compiled.sql, values });
    return compiled;
  };
  try {
    await work();
  } finally {
    Query.prototype.compiledFor = original;
  }
  return recorded;
}

class Undone extends Error {}

/** Records the statements of each write and rolls them back. */
export async function recordWrites<T>(
  store: Store,
  items: readonly T[],
  write: (tx: Transaction, site: Site, item: T) => unknown,
): Promise<Recorded[]> {
  const app = await openStore(store);
  const recorded: Recorded[] = [];
  try {
    await app.site.database.transaction(async (tx) => {
      for (const item of items) {
        const own = ofItsOwn(tx);
        recorded.push(
          await statementsOf(async () => {
            await write(own, app.site, item);
            await own.flush();
          }),
        );
      }
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  await app.close();
  return recorded;
}

/** A transaction inside the given one, with its own unit of work, as if each write had one. */
function ofItsOwn(tx: Transaction): Transaction {
  const unit = new UnitOfWork();
  const own: Transaction = {
    dialect: tx.dialect,
    all: (query, params) => tx.all(query, params),
    first: (query, params) => tx.first(query, params),
    allByKeys: (query, keys) => tx.allByKeys(query, keys),
    allByKey: (query, key) => tx.allByKey(query, key),
    firstByKey: (query, key) => tx.firstByKey(query, key),
    run: (query, params) => tx.run(query, params),
    async runMany(query, rows) {
      const [first] = rows;
      if (!tx.dialect.commitsInIdOrder || !first) return tx.runMany(query, rows);
      // Rows that are written one by one are all recorded, not only the first. All are called at once, to stay in order.
      const { several } = query.statementsFor(first);
      const together = several ? rows.length - (rows.length % SEVERAL_ROWS) : 0;
      await Promise.all([
        tx.runMany(query, rows.slice(0, together)),
        ...rows.slice(together).map((row) => tx.runMany(query, [row])),
      ]);
    },
    updateMany: (query, rows) => tx.updateMany(query, rows),
    execute: (sql) => tx.execute(sql),
    lock: (name, options) => tx.lock(name, options),
    afterCommit: (action) => tx.afterCommit(action),
    pending: (kind) => unit.of(kind),
    flush: () => unit.flush(own),
    afterCommitEverywhere: (action) => tx.afterCommitEverywhere(action),
  };
  return own;
}
