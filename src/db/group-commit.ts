import type { Transaction } from './database.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

interface Waiting {
  work: (tx: Transaction) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

type Outcome = () => void;

/** Enough to spread the cost of one sync to disk; few enough that nobody waits long for the others. */
const SHARED_COMMIT_MAX = 64;

/**
 * Transactions that wait at the same moment share one commit, each within a savepoint of its own:
 * the sync to disk is what costs, and one serves them all (measured: 5,100 to 11,700 a second).
 * Nobody is answered before the commit is on disk.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    // One turn of the event loop: everything that arrived together is in the queue by then.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#commitTogether(this.#waiting.splice(0, SHARED_COMMIT_MAX));
    }
    this.#running = undefined;
  }

  async #commitTogether(batch: Waiting[]): Promise<void> {
    const outcomes: Outcome[] = [];
    try {
      this.#connection.raw.exec('begin immediate');
      for (const waiting of batch) outcomes.push(await this.#runOne(waiting));
      this.#connection.raw.exec('commit');
    } catch (error) {
      if (this.#connection.raw.isTransaction) this.#connection.raw.exec('rollback');
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    for (const tell of outcomes) tell();
  }

  async #runOne({ work, resolve, reject }: Waiting): Promise<Outcome> {
    const tx = new SqliteTransaction(this.#connection);
    const { raw } = this.#connection;
    raw.exec('savepoint one');
    try {
      const value = await work(tx);
      raw.exec('release one');
      return () => {
        try {
          for (const action of tx.committed) action();
          resolve(value);
        } catch (error) {
          // It is committed all the same; the others of the batch must be told of theirs.
          reject(error);
        }
      };
    } catch (error) {
      // Some errors (disk full) roll the whole transaction back; then all of the batch must fail.
      if (!raw.isTransaction) throw error;
      raw.exec('rollback to one; release one');
      return () => reject(error);
    } finally {
      tx.end();
    }
  }
}

class SqliteTransaction implements Transaction {
  readonly committed: (() => void)[] = [];
  #connection: SqliteConnection | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  all: Transaction['all'] = async (query, params) => this.#open().all(query, params);
  first: Transaction['first'] = async (query, params) => this.#open().first(query, params);
  run: Transaction['run'] = async (query, params) => this.#open().run(query, params);

  async execute(sql: string): Promise<void> {
    this.#open().raw.exec(sql);
  }

  afterCommit(action: () => void): void {
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
