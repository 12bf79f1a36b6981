import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { OpenWork } from '../../shared/open-work.ts';
import type { Database, Reader } from '../database.ts';
import type { Query } from '../statements/query.ts';
import type { DatabaseLog } from '../unavailable.ts';
import { WriteProbe } from '../write-probe.ts';
import { SqliteConnection } from './connection.ts';
import { GroupCommit } from './group-commit.ts';
import { SqliteHealth } from './health.ts';
import { LongReads } from './long-reads.ts';
import { usePlannerStatistics } from './planner-statistics.ts';
import { QuickCheck } from './quick-check.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { isBusy } from './sqlite-errors.ts';
import { WriteAheadLog } from './write-ahead-log.ts';
import { writeBackup } from './write-backup.ts';

const WATCH_MS = 250;
/** A read waits only while another process recovers the log after a crash. */
const READ_WAIT_MAX_MS = 10_000;
const READ_POLL_MS = 5;
const FAULT_LOGGED_EVERY_MS = 60_000;

export interface SqliteOptions {
  /** How long a transaction waits while another process writes. */
  waitMaxMs?: number | undefined;
  log?: DatabaseLog;
  /** The write-ahead log counts as large from this size on. */
  largeLogBytes?: number;
  /** Long statements run in threads from this size of the database on. */
  longFromBytes?: number | undefined;
  /** The largest file that was checked completely before it was opened. */
  checkedWholeBytes?: number;
}

/** Opens a database file, and creates it when it is missing. */
export function openSqlite(file: string, options: SqliteOptions = {}): Database {
  const { log } = options;
  const writer = new SqliteConnection(file, { readOnly: false });
  const reader = new SqliteConnection(file, { readOnly: true });
  const health = new SqliteHealth(file);
  const long = new LongReads(file, health, options.longFromBytes);
  const probe = new WriteProbe((work) => commits.transaction(work));
  const requests = new OpenWork();
  const { waitMaxMs } = options;
  const commits = new GroupCommit(writer, { waitMaxMs, log, health, probe, requests });
  const writeAheadLog = new WriteAheadLog(file, writer, { log, largeBytes: options.largeLogBytes });
  const check = new QuickCheck();
  let watch: NodeJS.Timeout | undefined;
  let noticeChange: (() => boolean) | undefined;

  const database: Database = {
    dialect: sqliteDialect,
    place: { file, url: '' },
    read: readerOn(reader, health, long),
    requests,
    // Opens another connection: on the shared one, every other read would see that moment too.
    async snapshot(work) {
      const connection = openSnapshot(file, health);
      try {
        return await work(readerOn(connection, health));
      } finally {
        connection.close();
      }
    },
    transaction: (work, how) => commits.transaction(work, how),
    batchedTransaction: (work, item) => commits.batchedTransaction(work, item),
    queriesRun: () => reader.queriesRun + writer.queriesRun + long.queriesRun,
    error: () => health.error(),
    usePlannerStatistics: () => usePlannerStatistics(database),
    // Its plans are the same at every size.
    async updateStatistics() {},
    proveWritable: () => probe.prove(),
    sizes: async () => ({ databaseBytes: sizeOf(file), logBytes: sizeOf(`${file}-wal`) }),
    diskLeft: () => bytesLeft(file),
    emptyLog: () => writeAheadLog.empty(),

    async onForeignChange(action) {
      noticeChange = foreignChanges(writer, health, action);
      check.start(file, health, { log, wholeBytes: options.checkedWholeBytes });
      const reportError = errorReport(health, writer, log);
      watch = setInterval(() => {
        noticeChange?.();
        reportError();
        if (health.error() === undefined) writeAheadLog.checkSize();
      }, WATCH_MS).unref();
    },

    noticeForeignChange: () => noticeChange?.() ?? false,

    // Other processes poll for changes by themselves.
    onOwnChange() {},

    backup: (target) => writeBackup(file, target),

    async close() {
      clearInterval(watch);
      await check.stop();
      await commits.idle();
      await writeAheadLog.stop();
      await long.close();
      reader.close();
      writer.close();
    },
  };
  return database;
}

/** A process that may open no more files gets the reason, as a failed statement does. */
function openSnapshot(file: string, health: SqliteHealth): SqliteConnection {
  let connection: SqliteConnection | undefined;
  try {
    connection = new SqliteConnection(file, { readOnly: true });
    connection.raw.exec('begin');
    return connection;
  } catch (error) {
    connection?.close();
    throw health.explain(error);
  }
}

/** Opens one connection to a file that is open already, to read in another thread. */
export function openSqliteReader(file: string): { read: Reader; close(): Promise<void> } {
  const connection = new SqliteConnection(file, { readOnly: true });
  return {
    read: readerOn(connection, new SqliteHealth(file)),
    close: async () => connection.close(),
  };
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Free bytes for the user that runs the service; undefined where the system does not report them. */
function bytesLeft(file: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that calls back if another process has committed since its last call. It returns false when
 * the database cannot be read.
 */
function foreignChanges(
  writer: SqliteConnection,
  health: SqliteHealth,
  action: () => void,
): () => boolean {
  // Read on the writing connection, this number changes only when another connection commits.
  const version = writer.raw.prepare('pragma data_version');
  const read = () => Number(version.get()?.['data_version']);
  // Unknown until the first read: another process may hold the lock at this moment.
  let last: number | undefined;
  const notice = () => {
    let now: number;
    try {
      now = read();
    } catch (error) {
      // The requests that fail report this; the next interval tries again.
      health.explain(error);
      return false;
    }
    if (last !== undefined && now !== last) action();
    last = now;
    return true;
  };
  notice();
  return notice;
}

/** Logs that changes are refused: immediately, then every minute, and when changes are accepted again. */
function errorReport(
  health: SqliteHealth,
  writer: SqliteConnection,
  log: DatabaseLog | undefined,
): () => void {
  let loggedMs: number | undefined;
  return () => {
    const error = health.error();
    if (error === undefined) {
      if (loggedMs !== undefined) log?.info({}, 'the database takes changes again');
      loggedMs = undefined;
      return;
    }
    if (loggedMs === undefined && health.hasLostLog()) saveLog(writer);
    if (performance.now() - (loggedMs ?? -Infinity) < FAULT_LOGGED_EVERY_MS) return;
    loggedMs = performance.now();
    log?.error({}, `changes are refused: ${error}`);
  };
}

/** Copies acknowledged commits into the database file while the removed log is still open. */
function saveLog(writer: SqliteConnection): void {
  try {
    writer.raw.exec('pragma wal_checkpoint(passive)');
  } catch {
    // A transaction is running. Closing the database copies them too.
  }
}

function readerOn(connection: SqliteConnection, health: SqliteHealth, long?: LongReads): Reader {
  /** Reads immediately; when SQLite is busy, again after a pause in which other requests run. */
  const read = <T>(work: () => T): T | Promise<T> => {
    try {
      return work();
    } catch (error) {
      if (isBusy(error)) return readLater(work);
      throw health.explain(error);
    }
  };
  /** One that runs here, because it is short or reads a snapshot, leaves the next turn to other requests. */
  const readLong = async <P extends object, R>(query: Query<P, R>, params: P): Promise<R[]> => {
    if (long?.areNeeded()) return long.all(query, params);
    const rows = await read(() => connection.all(query, params));
    await nextTurn();
    return rows;
  };
  return {
    all: async (query, params) =>
      query.isLongWith(params)
        ? readLong(query, params)
        : read(() => connection.all(query, params)),
    allByKeys: async (query, keys) => read(() => connection.allByKeys(query, keys)),
    first: async (query, params) =>
      query.isLongWith(params)
        ? (await readLong(query, params))[0]
        : read(() => connection.first(query, params)),
    allByKey: async ({ one }, key) => read(() => connection.all(one, { key })),
    firstByKey: async ({ one }, key) => read(() => connection.first(one, { key })),
  };
}

async function readLater<T>(work: () => T): Promise<T> {
  const untilMs = performance.now() + READ_WAIT_MAX_MS;
  for (;;) {
    await sleep(READ_POLL_MS);
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error;
    }
  }
}
