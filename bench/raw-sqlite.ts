import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { dataFolder } from '../src/installation/data-folder.ts';
import type { Store } from './engine.ts';
import type { RawWriter } from './raw-writer.ts';
import type { Recorded } from './recorded.ts';

/** Commits as many writes together as are waiting, each in a savepoint, as the service does. */
export class RawSqlite implements RawWriter {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(store: Store) {
    this.#db = new DatabaseSync(dataFolder(store.data).databaseFile);
    this.#db.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;' +
        'pragma temp_store = memory',
    );
  }

  async one(writes: readonly Recorded[], atOnce: number): Promise<number> {
    return this.#write(writes, atOnce, true);
  }

  async batches(writes: readonly Recorded[]): Promise<number> {
    return this.#write(writes, 1, false);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #write(writes: readonly Recorded[], aCommit: number, apart: boolean): number {
    const startedMs = performance.now();
    for (let i = 0; i < writes.length; i += aCommit) {
      this.#db.exec('begin immediate');
      for (const statements of writes.slice(i, i + aCommit)) {
        if (apart) this.#db.exec('savepoint one');
        for (const { sql, values } of statements) {
          const statement = this.#prepared(sql);
          if (statement.columns().length > 0) statement.all(...(values as SQLInputValue[]));
          else statement.run(...(values as SQLInputValue[]));
        }
        if (apart) this.#db.exec('release one');
      }
      this.#db.exec('commit');
    }
    return writes.length / ((performance.now() - startedMs) / 1000);
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }
}
