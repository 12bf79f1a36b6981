import { openApp, type App } from '../src/app.ts';
import { createLog } from '../src/cli/log.ts';
import { resolveConfig } from '../src/installation/config.ts';
import type { RawWriter } from './raw-writer.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** A store with a given number of orders. */
export interface Store {
  readonly orders: number;
  /** The data folder, with the SQLite file or only the secret. */
  readonly data: string;
  /** Empty for SQLite. */
  readonly databaseUrl: string;
  readonly token: string;
}

/** A store to write to, removed at the end. */
export interface OwnStore extends Store {
  remove(): Promise<void>;
}

/** A database that the service runs on, as the benchmark uses it. */
export interface Engine {
  readonly name: EngineName;
  /** Version and the settings that decide the cost of a commit. */
  describe(): Promise<string>;
  /**
   * The store of this size, created if missing. If it is not created, prints why and returns
   * undefined.
   */
  storeOf(orders: number): Promise<Store | undefined>;
  copyOf(store: Store): Promise<OwnStore>;
  /** A cached copy of a store to which these statements have added rows. */
  variantOf(store: Store, name: string, statements: readonly string[]): Promise<Store>;
  /** A new installation. The caller creates its token. */
  emptyStore(): Promise<OwnStore>;
  /** Runs statements directly on the tables, outside the measured time. */
  change(store: Store, statements: readonly string[]): Promise<void>;
  /** SQL expression for the day `days` after 2020-01-01. */
  dayAfter(days: string): string;
  rawWriter(store: Store): Promise<RawWriter>;
  /** CPU time of the database server; NaN for SQLite, or if it cannot be measured. */
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
