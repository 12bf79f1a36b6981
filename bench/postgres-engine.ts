import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { copyDatabase } from '../src/db/copy-database.ts';
import { databaseUrl as addressOf, onServer } from '../test/postgres/databases.ts';
import { canKeepIn, startPrivateServer } from '../test/postgres/server.ts';
import { cacheFolder, datasetOf } from './dataset.ts';
import { openStore, type Engine, type OwnStore, type Store } from './engine.ts';
import { options } from './options.ts';
import { cpuMsOfFamily } from './processes.ts';
import { RawPostgres } from './raw-postgres.ts';

/** Commits are durable, as on SQLite. The rest are usual settings of a server. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  // Large enough that loading a store leaves no checkpoint to disturb the measurement.
  max_wal_size: '4GB',
};
/** Loading more takes over a quarter of an hour, so it needs --load-all. */
const LOADED_MAX = 3_000_000;

interface Server {
  readonly url: string;
  readonly pid?: number;
  stop(): Promise<void>;
}

/** Uses the server of DATABASE_URL, where it creates and drops databases, or a private one. */
export async function startPostgresEngine(): Promise<Engine> {
  const given = process.env['DATABASE_URL'];
  if (given) return new PostgresEngine({ url: given, stop: async () => {} }, false);
  // The settings of the tests: a smoke run does not have to wait for the disk.
  if (options.smoke) return new PostgresEngine(await startPrivateServer(), true);
  const cache = await cacheFolder();
  const keptIn = canKeepIn(cache)
    ? join(cache, 'postgres')
    : join(tmpdir(), `tributary-bench-postgres-${basename(cache)}`);
  const engine = new PostgresEngine(await startPrivateServer({ settings: SETTINGS, keptIn }), true);
  await engine.dropForgotten();
  return engine;
}

class PostgresEngine implements Engine {
  readonly name = 'PostgreSQL';
  readonly #server: Server;
  readonly #isKept: boolean;
  /** Databases to drop when the benchmark ends. */
  readonly #own = new Set<string>();

  constructor(server: Server, isKept: boolean) {
    this.#server = server;
    this.#isKept = isKept;
  }

  async describe(): Promise<string> {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers'];
    const [version, ...values] = await Promise.all(
      ['server_version', ...names].map((name) => this.#show(name)),
    );
    const settings = names.map((name, i) => `${name}=${values[i]}`);
    return `PostgreSQL ${version}, ${settings.join(' ')}${this.#isKept ? '' : ' (DATABASE_URL)'}`;
  }

  async storeOf(orders: number): Promise<Store | undefined> {
    const { data, token } = await datasetOf(orders);
    const suffix = this.#isKept ? '' : `_${randomBytes(4).toString('hex')}`;
    const name = `tributary_bench_${orders}${suffix}`;
    const databaseUrl = addressOf(this.#server.url, name);
    const store = { orders, data, databaseUrl, token };
    if (await this.#has(name)) return store;
    if (orders > LOADED_MAX && !options.loadsAll) {
      console.log(
        `not on PostgreSQL: ${orders.toLocaleString('en')} orders, which take more than a quarter ` +
          'of an hour to load (--load-all does it, once)',
      );
      return undefined;
    }
    await this.#load(store, name);
    return store;
  }

  async copyOf(store: Store): Promise<OwnStore> {
    const copy = await this.#ownStore(store, nameIn(store));
    cpSync(join(store.data, 'secret.key'), join(copy.data, 'secret.key'));
    return copy;
  }

  async variantOf(store: Store, variant: string, statements: readonly string[]): Promise<Store> {
    const template = nameIn(store);
    const name = `${template}_${variant}`;
    const databaseUrl = addressOf(this.#server.url, name);
    if (!(await this.#has(name))) {
      const making = await this.#makeUnderOtherName(name, template);
      await onServer(making.url, ...statements, 'vacuum (freeze, analyze)');
      await making.finish();
    }
    return { ...store, databaseUrl };
  }

  emptyStore(): Promise<OwnStore> {
    return this.#ownStore({ orders: 0, token: '' }, 'template0');
  }

  async change({ databaseUrl }: Store, statements: readonly string[]): Promise<void> {
    await onServer(databaseUrl, ...statements, 'vacuum analyze');
  }

  dayAfter = (days: string) => `(date '2020-01-01' + (${days})::integer)::text`;

  rawWriter(store: Store): Promise<RawPostgres> {
    return RawPostgres.open(store);
  }

  serverCpuMs(): number {
    return this.#server.pid === undefined ? Number.NaN : cpuMsOfFamily(this.#server.pid);
  }

  async close(): Promise<void> {
    for (const name of this.#own) await this.#drop(name);
    await this.#server.stop();
  }

  /** Drops databases that an interrupted run left. */
  async dropForgotten(): Promise<void> {
    const pattern = '^tributary_bench_([0-9a-f]{16}|.*_making)$';
    const found = await this.#ask('select datname from pg_database where datname ~ $1', [pattern]);
    for (const { datname } of found) await this.#drop(String(datname));
  }

  async #load(store: Store, name: string): Promise<void> {
    console.log(`copying ${store.orders.toLocaleString('en')} orders to PostgreSQL, once …`);
    const startedMs = performance.now();
    const { url, finish } = await this.#makeUnderOtherName(name, 'template0');
    const source = await openStore({ data: store.data, databaseUrl: '' });
    const target = await openStore({ data: store.data, databaseUrl: url });
    await copyDatabase(source.site.database, target.site.database, () => {});
    await source.close();
    await target.close();
    // A first scan sets hint bits, so that measured reads write nothing.
    await onServer(url, 'vacuum (freeze, analyze)', 'checkpoint');
    await finish();
    console.log(`… in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  }

  /** Renamed when it is complete. On a server given by DATABASE_URL it is dropped at the end. */
  async #makeUnderOtherName(name: string, template: string) {
    const making = `${name}_making`;
    await this.#drop(making);
    await onServer(this.#server.url, `create database ${making} template ${template}`);
    if (!this.#isKept) this.#own.add(making);
    const finish = async () => {
      if (!this.#isKept) this.#own.add(name);
      await onServer(this.#server.url, `alter database ${making} rename to ${name}`);
    };
    return { url: addressOf(this.#server.url, making), finish };
  }

  async #ownStore(
    { orders, token }: Pick<Store, 'orders' | 'token'>,
    template: string,
  ): Promise<OwnStore> {
    const data = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
    const name = `tributary_bench_${randomBytes(8).toString('hex')}`;
    this.#own.add(name);
    await onServer(this.#server.url, `create database ${name} template ${template}`);
    const remove = async () => {
      await this.#drop(name);
      rmSync(data, { recursive: true, force: true });
    };
    return { orders, token, data, databaseUrl: addressOf(this.#server.url, name), remove };
  }

  async #drop(name: string): Promise<void> {
    await onServer(this.#server.url, `drop database if exists ${name} with (force)`);
    this.#own.delete(name);
  }

  async #has(name: string): Promise<boolean> {
    return (await this.#ask('select 1 from pg_database where datname = $1', [name])).length > 0;
  }

  async #show(setting: string): Promise<string> {
    const [row] = await this.#ask('select current_setting($1) as value', [setting]);
    return String(row!['value']);
  }

  async #ask(text: string, values: string[]): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.#server.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  }
}

function nameIn({ databaseUrl }: Store): string {
  return new URL(databaseUrl).pathname.slice(1);
}
