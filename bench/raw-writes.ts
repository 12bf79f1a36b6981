import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { dataFolder } from '../src/data-folder.ts';
import type { Transaction } from '../src/db/database.ts';
import type { Site } from '../src/kernel/site.ts';
import { openDataset } from './dataset.ts';

/** The statements of one write, with their values. */
type Recorded = { sql: string; values: SQLInputValue[]; reads: boolean }[];

class Undone extends Error {}

/** What these writes send to the database, in sequence; nothing of it is kept. */
export async function recordStatements<T>(
  data: string,
  items: readonly T[],
  write: (tx: Transaction, site: Site, item: T) => Promise<unknown>,
): Promise<Recorded[]> {
  const app = await openDataset(data);
  const recorded: Recorded[] = [];
  try {
    await app.site.database.transaction(async (tx) => {
      for (const item of items) {
        const statements: Recorded = [];
        recorded.push(statements);
        await write(recording(tx, app.site, statements), app.site, item);
      }
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  await app.close();
  return recorded;
}

function recording(tx: Transaction, { database }: Site, into: Recorded): Transaction {
  const noting =
    (reads: boolean, run: (query: any, params: any) => Promise<any>) =>
    (query: any, params: any) => {
      const { sql, bind } = query.compiledFor(database.dialect, params);
      into.push({ sql, values: bind(params), reads });
      return run(query, params);
    };
  return {
    all: noting(true, (query, params) => tx.all(query, params)),
    first: noting(true, (query, params) => tx.first(query, params)),
    run: noting(false, (query, params) => tx.run(query, params)),
    execute: (sql) => tx.execute(sql),
    afterCommit: (action) => tx.afterCommit(action),
  } as Transaction;
}

/** The same statements by the driver alone: prepared, run, committed. */
export class RawWriter {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(data: string) {
    this.#db = new DatabaseSync(dataFolder(data).databaseFile);
    this.#db.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;' +
        'pragma temp_store = memory',
    );
  }

  /** Writes a second, so many of them to a commit, each in a savepoint where `apart`. */
  write(writes: readonly Recorded[], aCommit: number, apart: boolean): number {
    const startedMs = performance.now();
    for (let i = 0; i < writes.length; i += aCommit) {
      this.#db.exec('begin immediate');
      for (const statements of writes.slice(i, i + aCommit)) {
        if (apart) this.#db.exec('savepoint one');
        for (const { sql, values, reads } of statements) {
          const statement = this.#prepared(sql);
          if (reads) statement.all(...values);
          else statement.run(...values);
        }
        if (apart) this.#db.exec('release one');
      }
      this.#db.exec('commit');
    }
    return writes.length / ((performance.now() - startedMs) / 1000);
  }

  close(): void {
    this.#db.close();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }
}
