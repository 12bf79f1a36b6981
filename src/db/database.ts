import type { OpenWork } from '../shared/open-work.ts';
import type { Dialect } from './dialect.ts';
import type { KeyedQuery, SharedKeyedQuery } from './statements/keyed-query.ts';
import type { Query } from './statements/query.ts';
import type { RowsQuery, UpdateQuery } from './statements/rows-query.ts';

export interface DatabasePlace {
  /** The path of the database file, which may not exist yet. */
  file: string;
  /** The address of a PostgreSQL database to use instead; empty for SQLite. */
  url: string;
}

/** Runs statements that read. */
export interface Reader {
  all<P extends object, R>(query: Query<P, R>, params: P): Promise<R[]>;
  /** The rows of all these keys. The keys must be distinct. */
  allByKeys<K extends string | number, R>(
    query: KeyedQuery<K, R>,
    keys: readonly K[],
  ): Promise<R[]>;
  first<P extends object, R>(query: Query<P, R>, params: P): Promise<R | undefined>;
  /**
   * The rows of one key. On PostgreSQL, reads that start in the same tick of the event loop share a round
   * trip, and reads of the same key share the rows: do not change them.
   */
  allByKey<K extends string | number, R>(query: SharedKeyedQuery<K, R>, key: K): Promise<R[]>;
  firstByKey<K extends string | number, R>(
    query: SharedKeyedQuery<K, R>,
    key: K,
  ): Promise<R | undefined>;
}

/** Writes of one kind that a transaction has collected and not sent yet. */
export interface PendingWrites {
  /** Reads what they need, before any kind is sent: rows of figures, which all transactions share, stay locked shorter. */
  prepare?(tx: Transaction): Promise<void>;
  /**
   * Sends them. It must send its first statement, the one that locks rows, before it awaits anything: PostgreSQL
   * receives the statements of all kinds together, and they lock rows in the order in which they were sent.
   */
  flush(tx: Transaction): Promise<void>;
}

/** A kind of pending writes, with its place in the flush order. `defineWrites` declares one. */
export interface WriteKind<W extends PendingWrites> {
  readonly name: string;
  readonly position: number;
  readonly create: () => W;
}

/** A running transaction. */
export interface Transaction extends Reader {
  readonly dialect: Dialect;
  /** Runs a statement that writes; resolves to the number of rows it changed. */
  run<P extends object>(query: Query<P, unknown>, params: P): Promise<number>;
  /** Runs a statement that writes for each of these rows, in their order. */
  runMany<R extends object>(query: RowsQuery<R>, rows: readonly R[]): Promise<void>;
  /** Runs an update for each of these rows; resolves to whether each of them changed a row. */
  updateMany<R extends object>(query: UpdateQuery<R>, rows: readonly R[]): Promise<boolean[]>;
  /** Runs SQL text without parameters. Only migrations need it. */
  execute(sql: string): Promise<void>;
  /**
   * Takes a named lock until the transaction ends (PostgreSQL advisory lock; no-op on SQLite, which has
   * one writer). Use it when a write depends on an earlier read. `shared` holders exclude only exclusive
   * ones.
   */
  lock(name: string, options?: { shared?: boolean }): Promise<void>;
  /** The pending writes of one kind. They are written before the commit: see unit-of-work.ts. */
  pending<W extends PendingWrites>(kind: WriteKind<W>): W;
  /** Writes what is pending now. Only needed before a read that depends on it. */
  flush(): Promise<void>;
  /** Runs after the commit, and not at all after a rollback. */
  afterCommit(action: () => void): void;
  /** Runs after the commit, which also notifies other processes that their caches may be outdated. */
  afterCommitEverywhere(action: () => void): void;
}

export interface TransactionOptions {
  /** Lifts the statement timeout and the limit on waiting for locks: for migrations. */
  patient?: boolean;
  /** For work that no caller waits for. It lets requests and other transactions go first, for a short time. */
  background?: boolean;
  /**
   * For work in the background that is found again if it is lost, and that emits no event: its id could be read, lost and
   * given again. The commit does not wait for the disk: the last ones before a power cut may be undone, each as a whole
   * and in reverse order.
   */
  unsynced?: boolean;
}

/** Work that one transaction can do for many items. Resolves to one result per item, in their order. */
export type BatchWork<T, R> = (tx: Transaction, items: readonly T[]) => Promise<readonly R[]>;

/**
 * One database. Reads use separate connections and never wait for a running transaction. A transaction
 * must wait for nothing but its own statements. After a deadlock or a serialization failure it is rolled
 * back and its work runs again, so the work must have no effects outside the database.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Where it is, for a thread that opens it as well. */
  readonly place: DatabasePlace;
  readonly read: Reader;
  /** The requests that this process is answering. Transactions in the background let them go first. */
  readonly requests: OpenWork;
  /** Reads that all see the data of one moment, whatever other transactions commit. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Throws DatabaseUnavailable while the database accepts no changes. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * A transaction that does this work for one item, together with the other items that wait for the same
   * work. When a batch fails, each of its items runs again alone, so running twice must do no harm.
   */
  batchedTransaction<T, R>(work: BatchWork<T, R>, item: T): Promise<R>;
  /**
   * Plans statements by the statistics that belong to the schema, on SQLite. Call it after the migrations.
   * PostgreSQL gathers its own.
   */
  usePlannerStatistics(): Promise<void>;
  /** Gathers statistics at once, on PostgreSQL. Call it after a large change. */
  updateStatistics(): Promise<void>;
  /** Throws the reason when changes cannot be stored: a full disk, a read-only file system or server. */
  proveWritable(): Promise<void>;
  /** The size of the database; the write-ahead log of a database file is separate. */
  sizes(): Promise<{ databaseBytes: number; logBytes: number | undefined }>;
  /** Free bytes on the disk of a database file; undefined on PostgreSQL. */
  diskLeft(): number | undefined;
  /** Removes what was erased from the write-ahead log of a database file, soon. */
  emptyLog(): void;
  /** Why changes are refused while reads work, for the operator. */
  error(): string | undefined;
  /** How many statements have run since the database was opened. */
  queriesRun(): number;
  /**
   * Calls back within half a second after another process has changed cached data. Resolves after the first
   * attempt to watch; a failed one is retried.
   */
  onForeignChange(action: () => void): Promise<void>;
  /**
   * Checks now for what `onForeignChange` would notice later, and calls back. Returns true if this finds
   * every change, as on SQLite. PostgreSQL would need a round trip, so there it returns false.
   */
  noticeForeignChange(): boolean;
  /**
   * Calls back after a commit that notifies other processes, so that the caller can notify them another way too:
   * the notification of PostgreSQL may not reach them.
   */
  onOwnChange(action: () => void): void;
  /**
   * Writes a complete copy to a file while reads and writes continue. On PostgreSQL it throws an error that
   * explains how to do it.
   */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
