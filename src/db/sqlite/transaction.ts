import { TurnBudget } from '../../shared/turn-budget.ts';
import type { Transaction } from '../database.ts';
import { SEVERAL_ROWS } from '../statements/rows-query.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import type { SqliteConnection } from './connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/** Rows that are written without a pause: a multiple of those that one statement writes. */
const ROWS_AT_ONCE = 10 * SEVERAL_ROWS;

/** One of several transactions that may share a transaction of SQLite: see group-commit.ts. */
export class SqliteTransaction implements Transaction {
  readonly dialect = sqliteDialect;
  readonly committed: (() => void)[] = [];
  readonly #unit = new UnitOfWork();
  readonly #turn = new TurnBudget();
  /** Set while a statement waits for its turn. */
  #last: Promise<void> | undefined;
  #connection: SqliteConnection | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  all: Transaction['all'] = (query, params) => this.#run((open) => open.all(query, params));
  allByKeys: Transaction['allByKeys'] = (query, keys) =>
    this.#run((open) => open.allByKeys(query, keys));
  allByKey: Transaction['allByKey'] = ({ one }, key) => this.#run((open) => open.all(one, { key }));
  firstByKey: Transaction['firstByKey'] = ({ one }, key) =>
    this.#run((open) => open.first(one, { key }));
  first: Transaction['first'] = (query, params) => this.#run((open) => open.first(query, params));
  run: Transaction['run'] = (query, params) => this.#run((open) => open.run(query, params));

  runMany: Transaction['runMany'] = (query, rows) =>
    this.#runPieces(rows, (open, some) => open.runMany(query, some));

  updateMany: Transaction['updateMany'] = async (query, rows) => {
    const changed: boolean[][] = [];
    await this.#runPieces(rows, (open, some) => changed.push(open.updateMany(query, some)));
    return changed.flat();
  };

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

  /**
   * A statement blocks the event loop, so others have their turns between statements, however many there are. Statements
   * run in the order in which they were called, as each may need what the one before has written.
   */
  async #run<T>(statement: (connection: SqliteConnection) => T): Promise<T> {
    if (this.#last || this.#turn.isUsed) {
      return this.#queue(async () => {
        if (this.#turn.isUsed) await this.#turn.next();
        return statement(this.#open());
      });
    }
    return statement(this.#open());
  }

  async #runPieces<R>(
    rows: readonly R[],
    write: (connection: SqliteConnection, some: readonly R[]) => unknown,
  ): Promise<void> {
    if (rows.length <= ROWS_AT_ONCE) return this.#run((open) => void write(open, rows));
    return this.#queue(async () => {
      for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
        if (this.#turn.isUsed) await this.#turn.next();
        write(this.#open(), rows.slice(i, i + ROWS_AT_ONCE));
      }
    });
  }

  /** Runs the work when what waits already has run. */
  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last ? this.#last.then(work) : work();
    const leave = () => {
      if (this.#last === last) this.#last = undefined;
    };
    const last: Promise<void> = result.then(leave, leave);
    this.#last = last;
    return result;
  }

  #open(): SqliteConnection {
    if (!this.#connection)
      throw new Error('This transaction has ended: a statement was not awaited');
    return this.#connection;
  }
}
