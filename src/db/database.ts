import type { Dialect } from './dialect.ts';
import type { KeyedQuery, RowOfKey } from './statements/keyed-query.ts';
import type { Query } from './statements/query.ts';
import type { RowsQuery, UpdateQuery } from './statements/rows-query.ts';

/** Runs statements that read. */
export interface Reader {
  all<P extends object, R>(query: Query<P, R>, params: P): Promise<R[]>;
  /** What belongs to any of these keys, which are all different; for none nothing. */
  allByKeys<K extends string | number, R>(
    query: KeyedQuery<K, R>,
    keys: readonly K[],
  ): Promise<R[]>;
  first<P extends object, R>(query: Query<P, R>, params: P): Promise<R | undefined>;
  /**
   * What belongs to one key. Where a statement is a trip to a server, all who ask at the same moment share
   * one, and who ask for the same key share its rows: they must not be changed.
   */
  allByKey<K extends string | number, R>(query: RowOfKey<K, R>, key: K): Promise<R[]>;
  firstByKey<K extends string | number, R>(query: RowOfKey<K, R>, key: K): Promise<R | undefined>;
}

/** Writes of one kind that a transaction has collected and not sent yet. */
export interface PendingWrites {
  /**
   * Sends them. Must send its first statement, the one that locks rows, before it awaits anything: PostgreSQL
   * receives the statements of all kinds in one go, and they lock in the order in which they were sent.
   */
  flush(tx: Transaction): Promise<void>;
}

/** A kind of pending writes, with its place in the flush order. `defineWrites` declares one. */
export interface WriteKind<W extends PendingWrites> {
  readonly name: string;
  readonly position: number;
  readonly create: () => W;
}

/** A running transaction: what it writes is kept whole or not at all. */
export interface Transaction extends Reader {
  readonly dialect: Dialect;
  /** Runs a statement that writes and tells how many rows it changed. */
  run<P extends object>(query: Query<P, unknown>, params: P): Promise<number>;
  /** Runs a statement that writes for all of these rows, in their sequence; for none it does nothing. */
  runMany<R extends object>(query: RowsQuery<R>, rows: readonly R[]): Promise<void>;
  /** The same, and tells of each whether it changed a row. */
  updateMany<R extends object>(query: UpdateQuery<R>, rows: readonly R[]): Promise<boolean[]>;
  /** Runs text that only migrations write. */
  execute(sql: string): Promise<void>;
  /**
   * Lets one transaction at a time past this point among all that name the same, until it ends. For
   * decisions that rest on what was read before; where writers take turns there is nothing to do.
   * Any number get past together that share it, while nobody has it alone.
   */
  lock(name: string, options?: { shared?: boolean }): Promise<void>;
  /** What this transaction has collected of one kind. It is written before the commit: see unit-of-work.ts. */
  pending<W extends PendingWrites>(kind: WriteKind<W>): W;
  /** Writes what is pending now. Only needed before a read that depends on it. */
  flush(): Promise<void>;
  /** Runs once the transaction is committed; not at all when it is not. */
  afterCommit(action: () => void): void;
  /** The same, and other processes learn that what they keep in memory may be out of date. */
  afterCommitEverywhere(action: () => void): void;
}

export interface TransactionOptions {
  /** Waits for locks, and lets statements run, however long it takes: for migrations. */
  patient?: boolean;
}

/** Work of a transaction that can be done for many at once: one result each, in their sequence. */
export type BatchWork<T, R> = (tx: Transaction, items: readonly T[]) => Promise<readonly R[]>;

/**
 * One database. Reads go to a connection of their own and never wait for a running write.
 * A transaction must not wait for anything but its own statements. Where transactions get in each
 * other's way, one is undone and its work is done again: all it may leave behind is in the database.
 */
export interface Database {
  readonly dialect: Dialect;
  readonly read: Reader;
  /** Reads that all see the data of one moment, however long they take and whatever others write. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Throws DatabaseUnavailable when the database takes no changes at the moment. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * A transaction that does this work for one item, or for all items together that wait for the same work
   * at that moment; where that is refused, each is tried again by itself. Doing it twice must do no harm.
   */
  batchedTransaction<T, R>(work: BatchWork<T, R>, item: T): Promise<R>;
  /** Throws the reason where changes cannot be stored: a full disk, a read-only file system or server. */
  proveWritable(): Promise<void>;
  /** How much space the database takes; the write-ahead log of a database file is counted apart. */
  sizes(): Promise<{ databaseBytes: number; logBytes: number | undefined }>;
  /** Bytes left on the disk of a database file; undefined for a database on a server. */
  diskLeft(): number | undefined;
  /** Why changes are refused although the database can be read, in words for the operator. */
  fault(): string | undefined;
  /** How many statements have run since the database was opened. */
  queriesRun(): number;
  /**
   * Calls back when another process has changed what caches hold, within half a second. Resolves when it
   * watches, or could not begin and tries again.
   */
  onForeignChange(action: () => void): Promise<void>;
  /**
   * Looks at once for what `onForeignChange` would notice later, and calls back. True where that is certain
   * to find everything: SQLite. PostgreSQL would need a round trip, and answers false.
   */
  noticeForeignChange(): boolean;
  /** Calls back after a commit that others are told of, where they may have to be told another way. */
  onOwnChange(action: () => void): void;
  /** Writes a complete copy to a file while other processes go on reading and writing, or says how to. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
