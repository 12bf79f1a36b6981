import { Registry as MetricsRegistry, collectDefaultMetrics } from 'prom-client';
import { DatabaseClock } from './db/database-clock.ts';
import type { Database } from './db/database.ts';
import { migrate } from './db/migrator.ts';
import { refuseMoved } from './db/moved-database.ts';
import { openDatabase } from './db/open-database.ts';
import { UnusableDatabase } from './db/unavailable.ts';
import { loadEdition } from './edition-pro.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { allMigrations } from './installation/all-migrations.ts';
import { warnOfWrongClock } from './installation/clock-check.ts';
import { ConfigError, fixedSettings, moduleConfig, type Config } from './installation/config.ts';
import {
  dataFolder,
  loadKeyring,
  prepareFolder,
  type DataFolder,
} from './installation/data-folder.ts';
import {
  lockServer,
  lockWorker,
  releaseForgottenLeases,
  type FolderLock,
} from './installation/folder-locks.ts';
import { listenOn, readProxies } from './installation/listen.ts';
import { loadExtensions } from './installation/load-extensions.ts';
import { recordStore, refuseOtherCurrency } from './installation/recorded-store.ts';
import { refreshSettings } from './installation/refresh-settings.ts';
import { requireSameSecret } from './installation/same-secret.ts';
import { ServedCertificate } from './installation/served-certificate.ts';
import {
  defaultUrl,
  portOf,
  readServerAddress,
  removeServerAddress,
  writeServerAddress,
} from './installation/server-address.ts';
import { Extensions } from './kernel/declare/extension.ts';
import type { Log } from './kernel/declare/log.ts';
import type { Module } from './kernel/declare/module.ts';
import { Registry } from './kernel/declare/registry.ts';
import { SettingValues } from './kernel/declare/setting.ts';
import type { Site } from './kernel/declare/site.ts';
import { storeCurrency, storeTimeZone } from './modules/store-profile/index.ts';
import type { RedisDeadlines } from './redis/link.ts';
import { openSharing, type Sharing } from './redis/sharing.ts';
import { SiteCalendar } from './shared/dates.ts';
import { Currency } from './shared/money.ts';
import type { Keyring } from './shared/secrets.ts';
import { Worker, type RunJobs } from './worker/worker.ts';

const NOT_SHARED =
  'REDIS_URL is not set: rate limits and lock-outs are counted by each instance for itself, so with ' +
  'several of them callers get several times the limit';

export interface OpenOptions {
  config: Config;
  log: Log;
  /** Other modules than the edition's, for tests. */
  modules?: readonly Module[];
  clock?: () => number;
  monotonic?: () => number;
  /** How long a change waits for another process that writes to the same database file. */
  writeWaitMaxMs?: number;
  /** Long statements on a database file run in threads from this size on. */
  longFromBytes?: number;
  /** Opens a database file although its rows were moved to a server. */
  opensMoved?: boolean | undefined;
  /** Interval between checks for a renewed certificate, for tests. */
  certificateEveryMs?: number | undefined;
  /** Which background jobs run while it is served; by default those that the configuration says. For tests. */
  runs?: RunJobs | undefined;
  /** Replaces the deadlines of Redis calls, for tests. */
  redisDeadlines?: RedisDeadlines | undefined;
}

/** An open installation, which commands work on or which is served. */
export interface App {
  readonly site: Site;
  readonly folder: DataFolder;
  /** Serves requests and runs background jobs; resolves with the address. */
  listen(): Promise<{ url: string; server: HttpServer }>;
  /** Runs background jobs without serving, beside a server that may be running. */
  work(): Promise<void>;
  close(): Promise<void>;
}

export async function openApp(options: OpenOptions): Promise<App> {
  const { config } = options;
  const folder = dataFolder(config.data);
  prepareFolder(folder);
  const keyring = loadKeyring(folder);
  const extensions = new Extensions(await loadExtensions(config.extensions), options.log);
  const database = await openDatabase(
    { file: folder.databaseFile, url: config.databaseUrl },
    {
      log: options.log,
      waitMaxMs: options.writeWaitMaxMs,
      longFromBytes: options.longFromBytes,
    },
  ).catch(refuseInWords);
  try {
    return await openOn(database, { folder, keyring, extensions }, options);
  } catch (error) {
    await database.close();
    return refuseInWords(error);
  }
}

/** Reports an unusable database as a configuration error, which the operator can fix. */
function refuseInWords(error: unknown): never {
  throw error instanceof UnusableDatabase ? new ConfigError(error.message) : error;
}

interface OpenedFolder {
  folder: DataFolder;
  keyring: Keyring;
  extensions: Extensions;
}

async function openOn(
  database: Database,
  { folder, keyring, extensions }: OpenedFolder,
  options: OpenOptions,
): Promise<App> {
  const { config, log, modules, monotonic = () => performance.now() } = options;
  const isShared = config.databaseUrl !== '';
  const databaseClock =
    isShared && !options.clock ? await DatabaseClock.follow(database) : undefined;
  const clock = options.clock ?? databaseClock?.read ?? Date.now;
  const settings = new SettingValues(fixedSettings(config));
  let calendar = new SiteCalendar(settings.get(storeTimeZone));
  let currency = new Currency(settings.get(storeCurrency));
  settings.onChange(() => {
    const [zone, code] = [settings.get(storeTimeZone), settings.get(storeCurrency)];
    if (zone !== calendar.timeZone) calendar = new SiteCalendar(zone);
    if (code !== currency.code) currency = new Currency(code);
  });
  const list = [...(modules ?? (await loadEdition(config.edition))), ...extensions.modules()];
  const registry = new Registry(list, settings);

  const applied = await migrate(database, allMigrations(list));
  await database.usePlannerStatistics();
  if (applied.length > 0) log.info({ applied }, 'the database was migrated');
  if (isShared) await requireSameSecret(database, keyring);
  else if (!options.opensMoved) await refuseMoved(database, folder.databaseFile);

  const sharing = await openSharing({
    url: config.redisUrl,
    keyring,
    log,
    monotonic,
    deadlines: options.redisDeadlines,
  });
  database.onOwnChange(() => sharing.notifyChange());

  const forgetting: (() => void)[] = [];
  let worker: Worker | undefined;
  let certificate: ServedCertificate | undefined;
  let isStopping = false;
  let publicUrl = config.publicUrl || readServerAddress(folder) || defaultUrl(config, config.port);
  const site: Site = {
    database,
    registry,
    settings,
    get calendar() {
      return calendar;
    },
    get currency() {
      return currency;
    },
    edition: config.edition,
    get publicUrl() {
      return publicUrl;
    },
    ownCertificateFile:
      config.tls === 'auto' && config.publicUrl === '' ? folder.certificateFile : null,
    filesFolder: folder.filesFolder,
    keyring,
    limits: sharing.limits,
    extensions,
    config: moduleConfig(config),
    log,
    metricsAccess: {
      token: config.metricsToken,
      isOpenToMachine: config.metrics === 'loopback',
    },
    metrics: new MetricsRegistry(),
    get certificate() {
      return certificate?.facts;
    },
    worker: { isAlive: () => worker?.isAlive() ?? false, jobs: () => worker?.figures() ?? [] },
    get isStopping() {
      return isStopping;
    },
    clock,
    monotonic,
    invalidateCaches: () => forgetting.forEach((forget) => forget()),
    onInvalidateCaches: (listener) => forgetting.push(listener),
  };
  await refreshSettings(site);
  await refuseOtherCurrency(site);
  for (const module of list) await module.open?.(site);

  let server: HttpServer | undefined;
  let lock: FolderLock | undefined;
  return {
    site,
    folder,
    async listen() {
      // A database file has one server; a PostgreSQL database has any number of instances.
      const isAlone = config.databaseUrl === '';
      if (isAlone) lock = lockServer(folder);
      const proxies = readProxies(config);
      await recordStore(site);
      certificate = await ServedCertificate.open({
        config,
        folder,
        database,
        log,
        clock,
        everyMs: options.certificateEveryMs,
      });
      await warnOfWrongClock(site);
      await watchOtherProcesses(site, sharing);
      collectDefaultMetrics({ register: site.metrics });
      sharing.exposeMetrics(site.metrics);
      if (!isAlone && config.redisUrl === '') log.info({}, NOT_SHARED);
      if (isAlone) await releaseForgottenLeases(site, folder);
      const connections = { all: config.maxConnections, perNetwork: config.networkConnections };
      const tls = certificate?.pair;
      server = createServer(site, { tls, proxies, lockOut: sharing.lockOut, connections });
      await listenOn(server, config);
      certificate?.watch(server.serveCertificate);
      publicUrl = config.publicUrl || defaultUrl(config, portOf(server));
      writeServerAddress(folder, publicUrl);
      worker = new Worker(site, options.runs ?? (config.worker === 'off' ? 'own' : 'all'));
      worker.start();
      return { url: publicUrl, server };
    },
    async work() {
      if (config.databaseUrl === '') lock = lockWorker(folder);
      await recordStore(site);
      await warnOfWrongClock(site);
      await watchOtherProcesses(site, sharing);
      worker = new Worker(site);
      worker.start();
    },
    async close() {
      isStopping = true;
      certificate?.stop();
      await server?.stop(config.stopDelay * 1000);
      if (server) removeServerAddress(folder, publicUrl);
      const working = worker?.stop();
      for (const module of list) module.close?.(site);
      await working;
      await sharing.close();
      databaseClock?.stop();
      await database.close();
      lock?.release();
    },
  };
}

/** Applies changes of the command line and of other instances within half a second. */
async function watchOtherProcesses(site: Site, sharing: Sharing): Promise<void> {
  const forget = () => {
    site.invalidateCaches();
    refreshSettings(site).catch((error: unknown) =>
      site.log.error({ err: error }, 'settings could not be read again'),
    );
  };
  sharing.onChange(forget);
  await Promise.all([site.database.onForeignChange(forget), sharing.start()]);
}
