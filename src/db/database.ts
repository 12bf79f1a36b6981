import type { Dialect } from './dialect.ts';
import type { Query } from './query.ts';

/** Runs statements that read. */
export interface Reader {
  all<P extends object, R>(query: Query<P, R>, params: P): Promise<R[]>;
  first<P extends object, R>(query: Query<P, R>, params: P): Promise<R | undefined>;
}

/** A running transaction: what it writes is kept whole or not at all. */
export interface Transaction extends Reader {
  /** Runs a statement that writes and tells how many rows it changed. */
  run<P extends object>(query: Query<P, unknown>, params: P): Promise<number>;
  /** Runs text that only migrations write. */
  execute(sql: string): Promise<void>;
  /** Runs once the transaction is committed; not at all when it is not. */
  afterCommit(action: () => void): void;
}

/**
 * One database. Reads go to a connection of their own and never wait for a running write.
 * A transaction must not wait for anything but its own statements.
 */
export interface Database {
  readonly dialect: Dialect;
  readonly read: Reader;
  /** Reads that all see the data of one moment, however long they take and whatever others write. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** How many statements have run since the database was opened. */
  queriesRun(): number;
  /** Calls back when another process has changed the data, within half a second. */
  onForeignChange(action: () => void): void;
  /** Writes a complete copy to a file while other processes go on reading and writing. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
