import { openApp, type App } from '../src/app.ts';
import { createLog } from '../src/cli/log.ts';
import { resolveConfig } from '../src/installation/config.ts';
import type { RawWriter } from './raw-writer.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** A store with so many orders. */
export interface Store {
  readonly orders: number;
  /** The data folder: with the database in it, or only with the secret. */
  readonly data: string;
  /** Empty where the database is a file of the data folder. */
  readonly databaseUrl: string;
  readonly token: string;
}

/** A store to write to, gone at the end. */
export interface OwnStore extends Store {
  remove(): Promise<void>;
}

/** One of the databases the service runs on, and what the bench needs of it. */
export interface Engine {
  readonly name: EngineName;
  /** Its version, and the settings that decide what a commit costs. */
  describe(): Promise<string>;
  /** The store of this size, made when it is missing; undefined, and said why, when it is not made. */
  storeOf(orders: number): Promise<Store | undefined>;
  copyOf(store: Store): Promise<OwnStore>;
  /** A store with more in its tables, made by these statements when it is missing, and kept too. */
  variantOf(store: Store, name: string, statements: readonly string[]): Promise<Store>;
  /** An installation in which nothing has happened yet; its token is for the caller to make. */
  emptyStore(): Promise<OwnStore>;
  /** Straight into the tables: only what comes after is measured. */
  change(store: Store, statements: readonly string[]): Promise<void>;
  /** The day so many days after 2020-01-01, as an expression. */
  dayAfter(days: string): string;
  rawWriter(store: Store): Promise<RawWriter>;
  /** CPU time of the database apart from the service; NaN where it has none or it cannot be told. */
  serverCpuMs(): number;
  close(): Promise<void>;
}

/** Opens a store in this process. */
export async function openStore(
  { data, databaseUrl }: Pick<Store, 'data' | 'databaseUrl'>,
  flags: Record<string, string> = {},
): Promise<App> {
  const { config } = resolveConfig({ data, databaseUrl, ...flags }, {});
  return openApp({ config, log: await createLog('error') });
}
