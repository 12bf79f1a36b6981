import type { Database, Reader } from './database.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { GroupCommit } from './group-commit.ts';
import { SqliteConnection } from './sqlite-connection.ts';

const FOREIGN_CHANGE_CHECK_MS = 250;

/** Opens a database file, making it when it is missing. */
export function openSqlite(file: string): Database {
  const writer = new SqliteConnection(file, { readOnly: false });
  const reader = new SqliteConnection(file, { readOnly: true });
  const commits = new GroupCommit(writer);
  let watch: NodeJS.Timeout | undefined;

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
    transaction: (work) => commits.transaction(work),
    together: (work, item) => commits.together(work, item),
    queriesRun: () => reader.queriesRun + writer.queriesRun,

    async onForeignChange(action) {
      // Asked of the writing connection, this number moves only when somebody else commits.
      const version = writer.raw.prepare('pragma data_version');
      const read = () => Number(version.get()?.['data_version']);
      let last = read();
      watch = setInterval(() => {
        const now = read();
        if (now === last) return;
        last = now;
        action();
      }, FOREIGN_CHANGE_CHECK_MS).unref();
    },

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
    all: async (query, params) => connection.all(query, params),
    allOf: async (query, keys) => connection.allOf(query, keys),
    first: async (query, params) => connection.first(query, params),
    allFor: async ({ one }, key) => connection.all(one, { key }),
    firstFor: async ({ one }, key) => connection.first(one, { key }),
  };
}
