import type { CompiledStatement, Query } from '../statements/query.ts';
import { rowMaker, type RowMaker } from '../statements/row-maker.ts';
import { valuesOf } from './connection.ts';
import type { SqliteHealth } from './health.ts';
import { ReaderThreads } from './reader-threads.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/** Runs the statements that are declared long in threads, where the database is large. */
export class LongReads {
  queriesRun = 0;
  readonly #threads: ReaderThreads;
  readonly #health: SqliteHealth;
  readonly #rowMakers = new WeakMap<CompiledStatement, RowMaker>();

  constructor(file: string, health: SqliteHealth, longFromBytes?: number) {
    this.#threads = new ReaderThreads(file, longFromBytes);
    this.#health = health;
  }

  /** Whether the database is so large that a statement can take long. */
  areNeeded(): boolean {
    return this.#threads.areNeeded();
  }

  async all<P extends object, R>(query: Query<P, R>, params: P): Promise<R[]> {
    const compiled = query.compiledFor(sqliteDialect, params);
    this.queriesRun += 1;
    const { rows, columns } = await this.#read(compiled, params);
    let toRow = this.#rowMakers.get(compiled);
    if (!toRow) this.#rowMakers.set(compiled, (toRow = rowMaker(columns)));
    // A row has the type that its query declares.
    return rows.map((row) => toRow(row as unknown[])) as R[];
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #read(compiled: CompiledStatement, params: object) {
    try {
      return await this.#threads.read({ sql: compiled.sql, values: valuesOf(compiled, params) });
    } catch (error) {
      throw this.#health.explain(error);
    }
  }
}
