import { setTimeout as sleep } from 'node:timers/promises';
import { Coalescer } from '../../shared/coalesce.ts';
import { OpenWork } from '../../shared/open-work.ts';
import { BackgroundQueue, twoTurns } from '../background-queue.ts';
import type { BatchWork, Transaction, TransactionOptions } from '../database.ts';
import { DatabaseUnavailable, type DatabaseLog } from '../unavailable.ts';
import type { WriteProbe } from '../write-probe.ts';
import type { SqliteConnection } from './connection.ts';
import type { SqliteHealth } from './health.ts';
import {
  byWork,
  settleAfterCommit,
  settleTogether,
  valuesOf,
  type PendingWork,
  type Settle,
  type Work,
} from './pending-work.ts';
import { explained, isBusy } from './sqlite-errors.ts';
import { SqliteTransaction } from './transaction.ts';

export interface GroupCommitOptions {
  /** How long a transaction waits while another process has the write lock. */
  waitMaxMs?: number | undefined;
  log?: DatabaseLog | undefined;
  /** Checked before a transaction begins and before its commit is acknowledged. */
  health?: SqliteHealth;
  /** Notified of commits and of refused changes. */
  probe?: WriteProbe;
  /** The requests that transactions in the background let go first. */
  requests?: OpenWork;
}

/** Large enough to spread the cost of a sync, and small enough that none waits long for the others. */
const SHARED_COMMIT_MAX = 64;
/** Bounds the wait of the first transaction while others arrive one by one. */
const GATHER_ROUNDS_MAX = 4;
const WAIT_MAX_MS = 10_000;
/** How often to try for the write lock while another process has it. One attempt takes 7 µs. */
const LOCK_POLL_MS = 1;
const LOGGED_WAIT_MS = 1_000;
/** A process that has held the write lock this long then leaves it free for a moment. */
const LONG_HOLD_MS = 50;
const LEAVE_FREE_MS = 3;

/**
 * Transactions that wait at the same moment share one commit, each within its own savepoint, because
 * the sync to disk is what costs (measured: 11,700 transactions per second instead of 5,100). No caller gets
 * its result before the commit is on disk.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #waitMaxMs: number;
  readonly #log: DatabaseLog | undefined;
  readonly #health: SqliteHealth | undefined;
  readonly #probe: WriteProbe | undefined;
  /** Whether the transaction that has begun is written to the disk before its commit returns. */
  #syncs = true;
  readonly #queue = new Coalescer<Work, unknown>({
    max: SHARED_COMMIT_MAX,
    gather: async () => {
      await this.#gather();
      return this.#takeWriteLock();
    },
    run: (batch) => this.#commitAndPause(batch),
  });

  readonly #background: BackgroundQueue;

  constructor(connection: SqliteConnection, options: GroupCommitOptions = {}) {
    this.#connection = connection;
    this.#waitMaxMs = options.waitMaxMs ?? WAIT_MAX_MS;
    this.#log = options.log;
    this.#health = options.health;
    this.#probe = options.probe;
    this.#background = new BackgroundQueue(options.requests ?? new OpenWork(), (waitMsMax) =>
      Promise.race([this.#queue.idle(), sleep(waitMsMax)]),
    );
  }

  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { patient = false, background = false, unsynced = false }: TransactionOptions = {},
  ): Promise<T> {
    const untilMs = patient ? Infinity : performance.now() + this.#waitMaxMs;
    // The queue holds work of all types; each call gets the result of its own work.
    const run = () => this.#queue.add({ run: work, untilMs, isUnsynced: unsynced }) as Promise<T>;
    return background ? this.#background.add(run) : run();
  }

  /** Runs the work once for all items that wait for it. The casts have the same reason as above. */
  batchedTransaction<T, R>(work: BatchWork<T, R>, item: T): Promise<R> {
    return this.#queue.add({
      run: async (tx) => (await work(tx, [item]))[0],
      batch: { work: work as BatchWork<unknown, unknown>, item },
      untilMs: performance.now() + this.#waitMaxMs,
    }) as Promise<R>;
  }

  /** Resolves when no transaction waits or runs. */
  async idle(): Promise<void> {
    await this.#background.idle();
    await this.#queue.idle();
  }

  /**
   * Waits until a round brings no further transactions. A round is two ticks of the event loop: in the first,
   * requests are read from their sockets; in the second, their transactions are added. Without it, clients that
   * got their responses together send their next requests in two halves that alternate (measured: 16 of 32
   * transactions share a commit, and 29 with it).
   */
  async #gather(): Promise<void> {
    const { waiting } = this.#queue;
    for (let round = 0; round < GATHER_ROUNDS_MAX && waiting.length < SHARED_COMMIT_MAX; round++) {
      const seen = waiting.length;
      await twoTurns();
      if (waiting.length === seen) break;
    }
  }

  /**
   * Begins a transaction; returns false if no work waits any more. While another process writes, this polls with
   * timers: SQLite's own busy timeout would block the event loop, and with it every read.
   */
  async #takeWriteLock(): Promise<boolean> {
    const sinceMs = performance.now();
    let isLogged = false;
    for (;;) {
      try {
        this.#requireHealth();
        this.#sync(this.#queue.waiting.some(({ item }) => !item.isUnsynced));
        this.#connection.raw.exec('begin immediate');
        return true;
      } catch (error) {
        if (!isBusy(error)) throw this.#explained(error);
      }
      const nowMs = performance.now();
      if (!isLogged && nowMs - sinceMs > LOGGED_WAIT_MS) {
        this.#log?.warn({}, 'another process is writing to the database: changes wait for it');
        isLogged = true;
      }
      this.#refuseOverdue(nowMs);
      if (this.#queue.waiting.length === 0) return false;
      await sleep(LOCK_POLL_MS);
    }
  }

  /** A sync blocks the event loop for milliseconds. What need not be on the disk is synced with a later commit. */
  #sync(syncs: boolean): void {
    if (syncs === this.#syncs) return;
    this.#connection.raw.exec(`pragma synchronous = ${syncs ? 'full' : 'normal'}`);
    this.#syncs = syncs;
  }

  #requireHealth(): void {
    const error = this.#health?.error();
    if (error !== undefined) throw new DatabaseUnavailable(error);
  }

  #explained(error: unknown): unknown {
    const reason = this.#health ? this.#health.explain(error) : explained(error);
    this.#probe?.noteRefusal(reason);
    return reason;
  }

  #refuseOverdue(nowMs: number): void {
    const seconds = this.#waitMaxMs / 1000;
    const reason = `Another process has kept the database locked for ${seconds} seconds.`;
    this.#queue.rejectWaiting(
      () => new DatabaseUnavailable(reason),
      ({ untilMs }) => untilMs <= nowMs,
    );
  }

  async #commitAndPause(batch: readonly PendingWork[]): Promise<void> {
    const sinceMs = performance.now();
    await this.#commitTogether(this.#syncs ? batch : this.#onlyUnsynced(batch));
    // SQLite has no queue for its lock: without a gap, processes that poll for it would hardly ever get it.
    if (performance.now() - sinceMs > LONG_HOLD_MS) await sleep(LEAVE_FREE_MS);
  }

  /** What has arrived since a transaction without a sync began waits for the next one. */
  #onlyUnsynced(batch: readonly PendingWork[]): readonly PendingWork[] {
    const others = batch.filter(({ item }) => !item.isUnsynced);
    for (const { item, resolve, reject } of others) this.#queue.add(item).then(resolve, reject);
    return batch.filter(({ item }) => item.isUnsynced);
  }

  async #commitTogether(batch: readonly PendingWork[]): Promise<void> {
    const groups = [...byWork(batch)];
    const settles: Settle[] = [];
    try {
      if (groups.length === 1) settles.push(...(await this.#runAlone(batch)));
      else for (const some of groups) settles.push(...(await this.#runSome(some)));
      this.#connection.raw.exec('commit');
      this.#requireHealth();
      this.#probe?.noteCommit();
    } catch (error) {
      // Some errors, such as a full disk, have rolled it back already; then all of the batch must fail.
      const isOpen = this.#connection.raw.isTransaction;
      if (isOpen) this.#connection.raw.exec('rollback');
      if (!isOpen || groups.length > 1 || batch.length === 1) throw this.#explained(error);
      // Each runs alone, so that each is refused for its own reasons only.
      for (const { item, resolve, reject } of batch) {
        this.#queue.add({ ...item, batch: undefined }).then(resolve, reject);
      }
    }
    for (const settle of settles) settle();
  }

  /**
   * Work that shares its commit with no other needs no savepoint: when it fails, all of it is
   * rolled back. With a savepoint SQLite copies every page before it changes, and walks through those copies
   * at the end of each statement that can fail halfway: a third of the time of a batch of 1,000 orders.
   */
  async #runAlone(some: readonly PendingWork[]): Promise<Settle[]> {
    const tx = new SqliteTransaction(this.#connection);
    try {
      const values = await valuesOf(some, tx);
      await tx.finish();
      return settleTogether(some, values, tx.committed);
    } finally {
      tx.end();
    }
  }

  /** Runs one transaction, or several that share their work. */
  async #runSome(some: readonly PendingWork[]): Promise<Settle[]> {
    if (some.length === 1) return [await this.#runOne(some[0]!)];
    try {
      const { value, committed } = await this.#inSavepoint((tx) => valuesOf(some, tx));
      return settleTogether(some, value, committed);
    } catch (error) {
      if (!this.#connection.raw.isTransaction) throw error;
    }
    // Each runs alone, so that each is refused for its own reasons only.
    const settles: Settle[] = [];
    for (const pending of some) settles.push(await this.#runOne(pending));
    return settles;
  }

  async #runOne(pending: PendingWork): Promise<Settle> {
    try {
      const { value, committed } = await this.#inSavepoint(pending.item.run);
      return settleAfterCommit(pending, value, committed);
    } catch (error) {
      // Some errors (disk full) roll the complete transaction back; then all of the batch must fail.
      if (!this.#connection.raw.isTransaction) throw error;
      return () => pending.reject(this.#explained(error));
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
