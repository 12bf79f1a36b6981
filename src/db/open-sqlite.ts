import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Reader } from './database.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-errors.ts';

const FOREIGN_CHANGE_CHECK_MS = 250;
/** A reader waits only while another process recovers the log of a crashed one. */
const READ_WAIT_MAX_MS = 10_000;
const READ_LOOK_MS = 5;

export type SqliteOptions = GroupCommitOptions;

/** Opens a database file, making it when it is missing. */
export function openSqlite(file: string, options: SqliteOptions = {}): Database {
  const writer = new SqliteConnection(file, { readOnly: false });
  const reader = new SqliteConnection(file, { readOnly: true });
  const commits = new GroupCommit(writer, options);
  let watch: NodeJS.Timeout | undefined;
  let noticeChange: (() => boolean) | undefined;

  return {
    dialect: sqliteDialect,
    read: readerOn(reader),
    // A connection of its own: on the shared one everybody would be held at that moment.
    async snapshot(work) {
      const connection = new SqliteConnection(file, { readOnly: true });
      try {
        connection.raw.exec('begin');
        return await work(readerOn(connection));
      } finally {
        connection.close();
      }
    },
    transaction: (work, how) => commits.transaction(work, how),
    together: (work, item) => commits.together(work, item),
    queriesRun: () => reader.queriesRun + writer.queriesRun,

    async onForeignChange(action) {
      // Asked of the writing connection, this number moves only when somebody else commits.
      const version = writer.raw.prepare('pragma data_version');
      const read = () => Number(version.get()?.['data_version']);
      let last = read();
      noticeChange = () => {
        let now: number;
        try {
          now = read();
        } catch {
          // It cannot be read at the moment. Requests report that; this looks again.
          return false;
        }
        if (now !== last) {
          last = now;
          action();
        }
        return true;
      };
      watch = setInterval(noticeChange, FOREIGN_CHANGE_CHECK_MS).unref();
    },

    noticeForeignChange: () => noticeChange?.() ?? false,

    // Whoever else has the file open sees for himself that it was changed.
    onOwnChange() {},

    // One read transaction, so that it ends although others go on writing. The driver's own backup
    // begins again whenever somebody else commits.
    backup: async (target) => {
      reader.raw.prepare('vacuum into ?').run(target);
    },

    async close() {
      clearInterval(watch);
      await commits.idle();
      reader.close();
      writer.close();
    },
  };
}

function readerOn(connection: SqliteConnection): Reader {
  return {
    all: async (query, params) => whenReadable(() => connection.all(query, params)),
    allOf: async (query, keys) => whenReadable(() => connection.allOf(query, keys)),
    first: async (query, params) => whenReadable(() => connection.first(query, params)),
    allFor: async ({ one }, key) => whenReadable(() => connection.all(one, { key })),
    firstFor: async ({ one }, key) => whenReadable(() => connection.first(one, { key })),
  };
}

/** Reads at once; where SQLite says that it is busy, again after a pause in which others are served. */
function whenReadable<T>(read: () => T): T | Promise<T> {
  try {
    return read();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return readLater(read);
  }
}

async function readLater<T>(read: () => T): Promise<T> {
  const untilMs = performance.now() + READ_WAIT_MAX_MS;
  for (;;) {
    await pause(READ_LOOK_MS);
    try {
      return read();
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error;
    }
  }
}
