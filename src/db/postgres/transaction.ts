import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { OpenWork } from '../../shared/open-work.ts';
import { BackgroundQueue } from '../background-queue.ts';
import type { Reader, Transaction, TransactionOptions } from '../database.ts';
import { query, type Query } from '../statements/query.ts';
import { jsonList } from '../statements/rows-query.ts';
import { UnknownOutcome } from '../unavailable.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import {
  allByKeys,
  IDLE_IN_TRANSACTION_TIMEOUT_MS,
  send,
  sendTogether,
  type Statements,
} from './connection.ts';
import { postgresDialect } from './postgres-dialect.ts';
import {
  explainRefusal,
  isConsequence,
  isLostBefore,
  isLostConnection,
  isOutdatedPlan,
  isTransient,
} from './postgres-errors.ts';

const ATTEMPTS_MAX = 5;
const WAIT_MS = 5;

const advisoryLock = query<{ name: string }>((db, p) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${p.name}, 0))::text`.as('locked')),
);
const sharedAdvisoryLock = query<{ name: string }>((db, p) =>
  db.selectNoFrom(
    sql`pg_advisory_xact_lock_shared(hashtextextended(${p.name}, 0))::text`.as('locked'),
  ),
);
const notify = query<{ channel: string; sender: string }>((db, p) =>
  db.selectNoFrom(sql`pg_notify(${p.channel}, ${p.sender})::text`.as('notified')),
);

const NO_TIMEOUT = 'set local statement_timeout = 0';
const NO_SYNC = 'set local synchronous_commit = off';
const IDLE_LIMIT = `set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`;

/** How this process notifies others of a commit. */
export interface Notifier {
  readonly channel: string;
  /** Lets a process ignore its own notifications. */
  readonly sender: string;
}

/** Runs transactions on connections of the pool, and runs them again after transient errors. */
export class PostgresTransactions {
  readonly #pool: Pool;
  readonly #statements: Statements;
  readonly #notifier: Notifier;
  /** Statements that follow every `begin`. */
  readonly #limits: string;
  readonly #background: BackgroundQueue;
  readonly #foreground = new OpenWork();
  #afterNotification: (() => void) | undefined;

  /**
   * `setsIdleLimit`: the connections do not have the limit, so each transaction sets it. `requests`: those that
   * transactions in the background let go first.
   */
  constructor(
    pool: Pool,
    statements: Statements,
    notifier: Notifier,
    { setsIdleLimit, requests }: { setsIdleLimit: boolean; requests: OpenWork },
  ) {
    this.#pool = pool;
    this.#statements = statements;
    this.#notifier = notifier;
    this.#background = new BackgroundQueue(requests, (waitMsMax) =>
      this.#foreground.ended(waitMsMax),
    );
    this.#limits = setsIdleLimit ? `; ${IDLE_LIMIT}` : '';
  }

  /** Calls back after each commit with a notification. */
  onNotified(action: () => void): void {
    this.#afterNotification = action;
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    { patient = false, background = false, unsynced = false }: TransactionOptions = {},
  ): Promise<T> {
    if (background) {
      return this.#background.add(() => this.#untilDone(work, unsynced ? `; ${NO_SYNC}` : ''));
    }
    this.#foreground.begin();
    try {
      return await this.#untilDone(work, patient ? `; ${NO_TIMEOUT}` : '');
    } finally {
      this.#foreground.end();
    }
  }

  async #untilDone<T>(work: (tx: Transaction) => Promise<T>, settings: string): Promise<T> {
    const begin = `begin${this.#limits}${settings}`;
    for (let attempt = 1; ; attempt++) {
      const tx = new PostgresTransaction(this.#statements, this.#notifier);
      try {
        const value = await this.#attempt(begin, tx, work);
        for (const action of tx.committed) action();
        if (tx.notifies) this.#afterNotification?.();
        return value;
      } catch (error) {
        const cause = tx.failure ?? error;
        const isUndone = !tx.isCommitting || !isLostConnection(cause) || isLostBefore(cause);
        if (!isUndone && tx.notifies) this.#afterNotification?.();
        if (attempt >= ATTEMPTS_MAX || !isUndone || !isTransient(cause)) {
          const reason = isConsequence(error) ? cause : error;
          if (isUndone) throw explainRefusal(reason);
          throw new UnknownOutcome('The connection was lost during the commit.', { cause: reason });
        }
      }
      await sleep(Math.random() * WAIT_MS * 2 ** attempt);
    }
  }

  /** Runs reads that see the data of one moment. If their connection is lost, they run once more on another one. */
  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const tx = new PostgresTransaction(this.#statements, this.#notifier);
      const begin = `begin isolation level repeatable read, read only${this.#limits}`;
      try {
        const client = await this.#pool.connect();
        return await this.#within(client, tx, begin, () => work(tx));
      } catch (error) {
        if (attempt > 1 || !isLostConnection(tx.failure ?? error)) throw explainRefusal(error);
      }
    }
  }

  async #attempt<T>(
    begin: string,
    tx: PostgresTransaction,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect();
    return this.#within(client, tx, begin, async () => {
      const value = await work(tx);
      await tx.finish();
      return value;
    });
  }

  async #within<T>(
    client: PoolClient,
    tx: PostgresTransaction,
    begin: string,
    work: () => Promise<T>,
  ): Promise<T> {
    let broken = false;
    try {
      // `begin` is not awaited, so that the first statement is sent in the same round trip.
      sendTogether(client);
      const began = client.query(begin);
      began.catch(() => {});
      tx.begin(client);
      const value = await work();
      tx.end();
      await began;
      tx.isCommitting = true;
      const { command } = await client.query('commit');
      // After a failed statement PostgreSQL rolls back instead of committing, without an error.
      if (command !== 'COMMIT') throw tx.failure ?? new Error('The transaction was rolled back');
      return value;
    } catch (error) {
      tx.end();
      broken = isOutdatedPlan(tx.failure ?? error);
      if (broken) this.#statements.forget();
      await client.query('rollback').catch(() => (broken = true));
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

class PostgresTransaction implements Transaction {
  readonly dialect = postgresDialect;
  readonly committed: (() => void)[] = [];
  /** The first error, even if the work caught it. */
  failure: Error | undefined;
  isCommitting = false;
  readonly #statements: Statements;
  readonly #notifier: Notifier;
  readonly #unit = new UnitOfWork();
  #client: ClientBase | undefined;
  notifies = false;

  constructor(statements: Statements, notifier: Notifier) {
    this.#statements = statements;
    this.#notifier = notifier;
  }

  begin(client: ClientBase): void {
    this.#client = client;
  }

  end(): void {
    this.#client = undefined;
  }

  // Rows have the type that their statement declares; the driver does not know it.
  all: Transaction['all'] = async <P extends object, R>(statement: Query<P, R>, params: P) =>
    (await this.#send(() => send(this.#open(), this.#statements, statement, params))).rows as R[];
  allByKeys: Transaction['allByKeys'] = (statement, keys) => allByKeys(this, statement, keys);
  first: Transaction['first'] = async (statement, params) => (await this.all(statement, params))[0];
  allByKey: Transaction['allByKey'] = ({ one }, key) => this.all(one, { key });
  firstByKey: Transaction['firstByKey'] = ({ one }, key) => this.first(one, { key });
  run: Transaction['run'] = async (statement, params) =>
    (await this.#send(() => send(this.#open(), this.#statements, statement, params))).rowCount ?? 0;

  runMany: Transaction['runMany'] = async (many, rows) => {
    const [first] = rows;
    if (!first) return;
    const { one, list } = many.statementsFor(first);
    if (rows.length === 1) await this.run(one, first);
    else await this.run(list, { rows: jsonList(rows) });
  };

  updateMany: Transaction['updateMany'] = async (many, rows) => {
    const [first] = rows;
    if (!first) return [];
    const { one, changed } = many.statementsFor(first);
    if (rows.length === 1) return [(await this.run(one, first)) > 0];
    const found = await this.all(changed, { rows: jsonList(rows) });
    const places = new Set(found.map(({ n }) => n));
    return rows.map((_, i) => places.has(i + 1));
  };

  async execute(text: string): Promise<void> {
    await this.#send(() => this.#open().query(`${NO_TIMEOUT}; ${text}`));
  }

  lock: Transaction['lock'] = async (name, { shared = false } = {}) => {
    await this.run(shared ? sharedAdvisoryLock : advisoryLock, { name });
  };

  pending: Transaction['pending'] = (kind) => this.#unit.of(kind);

  flush(): Promise<void> {
    return this.#unit.flush(this);
  }

  afterCommit(action: () => void): void {
    this.committed.push(action);
  }

  afterCommitEverywhere(action: () => void): void {
    this.committed.push(action);
    this.notifies = true;
  }

  /** Writes what is pending; nothing can be added after it. The notification is delivered with the commit. */
  async finish(): Promise<void> {
    await this.#unit.finish(this);
    if (this.notifies) await this.run(notify, this.#notifier);
  }

  async #send<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The driver rejects with errors only.
      this.failure ??= error as Error;
      throw error;
    }
  }

  #open(): ClientBase {
    if (!this.#client) throw new Error('This transaction has ended: a statement was not awaited');
    return this.#client;
  }
}
