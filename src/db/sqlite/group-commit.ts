import { setTimeout as pause } from 'node:timers/promises';
import type { Transaction, TransactionOptions, BatchWork } from '../database.ts';
import type { SqliteConnection } from './connection.ts';
import { explained, isBusy } from './sqlite-errors.ts';
import type { SqliteHealth } from './health.ts';
import { SqliteTransaction } from './transaction.ts';
import { DatabaseUnavailable, type DatabaseLog } from '../unavailable.ts';
import type { WriteProbe } from '../write-probe.ts';

interface Waiting {
  work: (tx: Transaction) => Promise<unknown>;
  /** The same as work that can be done for others as well. */
  shared?: { work: BatchWork<unknown, unknown>; item: unknown };
  /** It is refused when the write lock is not free by then (`performance.now()`). */
  untilMs: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

export interface GroupCommitOptions {
  /** How long a transaction waits while another process has the write lock. */
  waitMaxMs?: number | undefined;
  log?: DatabaseLog | undefined;
  /** Asked before a transaction begins and before its commit is acknowledged. */
  health?: SqliteHealth;
  /** Learns of commits and of refused changes. */
  probe?: WriteProbe;
}

type Outcome = () => void;

/** Enough to spread the cost of one sync to disk; few enough that nobody waits long for the others. */
const SHARED_COMMIT_MAX = 64;
/** However many keep coming one by one, the first of them does not wait longer. */
const LOOKS_MAX = 4;
const WAIT_MAX_MS = 10_000;
/** How often to ask for the write lock while another process has it: one attempt takes 7 µs. */
const LOCK_LOOK_MS = 1;
/** The log mentions a wait for the write lock once it has lasted this long. */
const LONG_WAIT_MS = 1_000;
/** A process that has held the write lock this long then leaves it free for a moment. */
const LONG_HOLD_MS = 50;
const LEAVE_FREE_MS = 3;

/**
 * Transactions that wait at the same moment share one commit, each within a savepoint of its own:
 * the sync to disk is what costs, and one serves them all (measured: 5,100 to 11,700 a second).
 * Nobody is answered before the commit is on disk.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #waitMaxMs: number;
  readonly #log: DatabaseLog | undefined;
  readonly #health: SqliteHealth | undefined;
  readonly #probe: WriteProbe | undefined;
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(connection: SqliteConnection, options: GroupCommitOptions = {}) {
    this.#connection = connection;
    this.#waitMaxMs = options.waitMaxMs ?? WAIT_MAX_MS;
    this.#log = options.log;
    this.#health = options.health;
    this.#probe = options.probe;
  }

  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { patient = false }: TransactionOptions = {},
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        work,
        untilMs: patient ? Infinity : performance.now() + this.#waitMaxMs,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** The same, done once for all that wait for the same work. */
  batchedTransaction<T, R>(work: BatchWork<T, R>, item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.#waiting.push({
        work: async (tx) => (await work(tx, [item]))[0],
        shared: { work: work as BatchWork<unknown, unknown>, item },
        untilMs: performance.now() + this.#waitMaxMs,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #drain(): Promise<void> {
    while ((await this.#gathered()) > 0) {
      if (!(await this.#takeWriteLock())) continue;
      const sinceMs = performance.now();
      await this.#commitTogether(this.#waiting.splice(0, SHARED_COMMIT_MAX));
      // SQLite has no queue for its lock: without a gap, processes that poll for it would hardly ever get it.
      if (performance.now() - sinceMs > LONG_HOLD_MS) await pause(LEAVE_FREE_MS);
    }
    this.#running = undefined;
  }

  /**
   * Begins a transaction. While another process writes, this polls with timers: SQLite's own busy timeout
   * would block the event loop, and with it every read. False when no transaction waits any more.
   */
  async #takeWriteLock(): Promise<boolean> {
    const sinceMs = performance.now();
    let isLogged = false;
    for (;;) {
      try {
        this.#requireHealth();
        this.#connection.raw.exec('begin immediate');
        return true;
      } catch (error) {
        if (!isBusy(error)) {
          for (const { reject } of this.#waiting.splice(0)) reject(this.#explained(error));
          return false;
        }
      }
      const nowMs = performance.now();
      if (!isLogged && nowMs - sinceMs > LONG_WAIT_MS) {
        this.#log?.warn({}, 'another process is writing to the database: changes wait for it');
        isLogged = true;
      }
      this.#refuseOverdue(nowMs);
      if (this.#waiting.length === 0) return false;
      await pause(LOCK_LOOK_MS);
    }
  }

  #requireHealth(): void {
    const fault = this.#health?.fault();
    if (fault !== undefined) throw new DatabaseUnavailable(fault);
  }

  #explained(error: unknown): unknown {
    const reason = this.#health ? this.#health.explain(error) : explained(error);
    this.#probe?.noteRefusal(reason);
    return reason;
  }

  #refuseOverdue(nowMs: number): void {
    for (const overdue of this.#waiting.filter(({ untilMs }) => untilMs <= nowMs)) {
      this.#waiting.splice(this.#waiting.indexOf(overdue), 1);
      overdue.reject(
        new DatabaseUnavailable(
          `Another process has kept the database locked for ${this.#waitMaxMs / 1000} seconds.`,
        ),
      );
    }
  }

  /**
   * How many wait, when a look finds no more of them than the one before. A look is two turns of the
   * event loop: in the first what has arrived is read, in the second it gets here. Without it those
   * who are answered together come back in two halves that take turns (measured: 16 of 32 share a
   * commit, and 29 with it).
   */
  async #gathered(): Promise<number> {
    for (let look = 0; look < LOOKS_MAX && this.#waiting.length < SHARED_COMMIT_MAX; look++) {
      const seen = this.#waiting.length;
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      if (this.#waiting.length === seen) break;
    }
    return this.#waiting.length;
  }

  async #commitTogether(batch: Waiting[]): Promise<void> {
    const outcomes: Outcome[] = [];
    try {
      const [alone] = batch;
      if (batch.length === 1) outcomes.push(await this.#runAlone(alone!));
      else for (const some of bySharedWork(batch)) outcomes.push(...(await this.#runSome(some)));
      this.#connection.raw.exec('commit');
      this.#requireHealth();
      this.#probe?.noteCommit();
    } catch (error) {
      if (this.#connection.raw.isTransaction) this.#connection.raw.exec('rollback');
      for (const waiting of batch) waiting.reject(this.#explained(error));
      return;
    }
    for (const tell of outcomes) tell();
  }

  /**
   * A transaction that shares its commit with no other needs no savepoint: when it fails, all of it is
   * rolled back. With one, SQLite copies every page before it changes, and walks through those copies at
   * the end of each statement that can fail halfway: of a batch of 1,000 orders that was a third.
   */
  async #runAlone(waiting: Waiting): Promise<Outcome> {
    const tx = new SqliteTransaction(this.#connection);
    try {
      const value = await waiting.work(tx);
      await tx.finish();
      return toOutcome(waiting, value, tx.committed);
    } finally {
      tx.end();
    }
  }

  /** One by itself, or several that share their work. */
  async #runSome(some: readonly Waiting[]): Promise<Outcome[]> {
    const [first] = some;
    const { shared } = first!;
    if (some.length === 1 || !shared) return [await this.#runOne(first!)];
    const items = some.map((waiting) => waiting.shared!.item);
    try {
      const { value, committed } = await this.#inSavepoint((tx) => shared.work(tx, items));
      return some.map((waiting, i) => {
        // What is to be done after the commit is done once.
        return toOutcome(waiting, value[i], i === 0 ? committed : []);
      });
    } catch (error) {
      if (!this.#connection.raw.isTransaction) throw error;
    }
    // Each by itself, so that it is refused for reasons of its own alone.
    const outcomes: Outcome[] = [];
    for (const waiting of some) outcomes.push(await this.#runOne(waiting));
    return outcomes;
  }

  async #runOne(waiting: Waiting): Promise<Outcome> {
    try {
      const { value, committed } = await this.#inSavepoint(waiting.work);
      return toOutcome(waiting, value, committed);
    } catch (error) {
      // Some errors (disk full) roll the whole transaction back; then all of the batch must fail.
      if (!this.#connection.raw.isTransaction) throw error;
      return () => waiting.reject(this.#explained(error));
    }
  }

  async #inSavepoint<T>(
    work: (tx: Transaction) => Promise<T>,
  ): Promise<{ value: T; committed: readonly (() => void)[] }> {
    const tx = new SqliteTransaction(this.#connection);
    const { raw } = this.#connection;
    raw.exec('savepoint one');
    try {
      const value = await work(tx);
      await tx.finish();
      raw.exec('release one');
      return { value, committed: tx.committed };
    } catch (error) {
      if (raw.isTransaction) raw.exec('rollback to one; release one');
      throw error;
    } finally {
      tx.end();
    }
  }
}

/** Those that share their work stand together, where the first of them stands. */
function bySharedWork(batch: readonly Waiting[]): Iterable<readonly Waiting[]> {
  return Map.groupBy(batch, (waiting) => waiting.shared?.work ?? waiting).values();
}

function toOutcome(
  { resolve, reject }: Waiting,
  value: unknown,
  committed: readonly (() => void)[],
): Outcome {
  return () => {
    try {
      for (const action of committed) action();
      resolve(value);
    } catch (error) {
      // It is committed all the same; the others of the batch must be told of theirs.
      reject(error);
    }
  };
}
