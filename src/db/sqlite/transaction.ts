import type { Transaction } from '../database.ts';
import type { SqliteConnection } from './connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { UnitOfWork } from '../unit-of-work.ts';

/** One of several transactions that may share a transaction of SQLite: see group-commit.ts. */
export class SqliteTransaction implements Transaction {
  readonly dialect = sqliteDialect;
  readonly committed: (() => void)[] = [];
  readonly #unit = new UnitOfWork();
  #connection: SqliteConnection | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  all: Transaction['all'] = async (query, params) => this.#open().all(query, params);
  allByKeys: Transaction['allByKeys'] = async (query, keys) => this.#open().allByKeys(query, keys);
  allByKey: Transaction['allByKey'] = async ({ one }, key) => this.#open().all(one, { key });
  firstByKey: Transaction['firstByKey'] = async ({ one }, key) => this.#open().first(one, { key });
  first: Transaction['first'] = async (query, params) => this.#open().first(query, params);
  run: Transaction['run'] = async (query, params) => this.#open().run(query, params);

  runMany: Transaction['runMany'] = async (query, rows) => this.#open().runMany(query, rows);
  updateMany: Transaction['updateMany'] = async (query, rows) =>
    this.#open().updateMany(query, rows);

  async execute(sql: string): Promise<void> {
    this.#open().raw.exec(sql);
  }

  /** Does nothing, because SQLite has one writer. */
  async lock(): Promise<void> {}

  pending: Transaction['pending'] = (kind) => this.#unit.of(kind);

  flush(): Promise<void> {
    return this.#unit.flush(this);
  }

  /** Writes what is pending; nothing can be added after it. */
  finish(): Promise<void> {
    return this.#unit.finish(this);
  }

  afterCommit(action: () => void): void {
    this.committed.push(action);
  }

  /** Other processes poll for changes: see open-sqlite.ts. */
  afterCommitEverywhere(action: () => void): void {
    this.committed.push(action);
  }

  end(): void {
    this.#connection = undefined;
  }

  #open(): SqliteConnection {
    if (!this.#connection)
      throw new Error('This transaction has ended: a statement was not awaited');
    return this.#connection;
  }
}
