import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataFolder } from '../src/installation/data-folder.ts';
import { datasetOf } from './dataset.ts';
import type { Engine, OwnStore, Store } from './engine.ts';
import { RawSqlite } from './raw-sqlite.ts';

/** Folders to remove when the benchmark ends. */
const own = new Set<string>();

/** Stores in files. */
export const sqliteEngine: Engine = {
  name: 'SQLite',

  async describe() {
    const db = new DatabaseSync(':memory:');
    const { version } = db.prepare('select sqlite_version() as version').get()!;
    db.close();
    return `SQLite ${String(version)}, journal_mode=wal synchronous=full`;
  },

  storeOf: datasetOf,

  async copyOf(store) {
    const copy = ownStore(store);
    cpSync(store.data, copy.data, { recursive: true });
    return copy;
  },

  async variantOf(store, name, statements) {
    const data = `${store.data}-${name}`;
    if (!existsSync(data)) {
      const making = `${data}.making`;
      rmSync(making, { recursive: true, force: true });
      cpSync(store.data, making, { recursive: true });
      await sqliteEngine.change({ ...store, data: making }, statements);
      renameSync(making, data);
    }
    return { ...store, data };
  },

  async emptyStore() {
    return ownStore({ orders: 0, token: '' });
  },

  async change({ data }, statements) {
    const db = new DatabaseSync(dataFolder(data).databaseFile);
    for (const statement of statements) db.exec(statement);
    db.close();
  },

  dayAfter: (days) => `date('2020-01-01', '+' || (${days}) || ' days')`,
  rawWriter: async (store) => new RawSqlite(store),
  serverCpuMs: () => Number.NaN,
  /** Removes what a part left that failed. */
  async close() {
    for (const data of own) rmSync(data, { recursive: true, force: true });
  },
};

function ownStore({ orders, token }: Pick<Store, 'orders' | 'token'>): OwnStore {
  const data = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  own.add(data);
  const remove = async () => {
    rmSync(data, { recursive: true, force: true });
    own.delete(data);
  };
  return { orders, token, data, databaseUrl: '', remove };
}
