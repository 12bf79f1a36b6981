import { Registry as MetricsRegistry, collectDefaultMetrics, Gauge } from 'prom-client';
import { loadCertificate } from './certificate.ts';
import { ConfigError, fixedSettings, type Config } from './config.ts';
import { dataFolder, loadKeyring, prepareFolder, type DataFolder } from './data-folder.ts';
import type { Database } from './db/database.ts';
import { migrate } from './db/migrator.ts';
import { openSqlite } from './db/open-sqlite.ts';
import { lockForServer, lockForWorker } from './db/server-lock.ts';
import { freeEdition } from './edition-free.ts';
import { proEdition } from './edition-pro.ts';
import { loadExtensions } from './extensions.ts';
import { MemoryRateLimitStore } from './http/rate-limit.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { TrustedProxies } from './http/trusted-proxies.ts';
import { Extensions } from './kernel/extension.ts';
import type { Log } from './kernel/log.ts';
import type { Module } from './kernel/module.ts';
import { Registry } from './kernel/registry.ts';
import { fits, SettingValues } from './kernel/setting.ts';
import type { Site } from './kernel/site.ts';
import { loadSettings } from './modules/settings/index.ts';
import { SiteCalendar } from './shared/dates.ts';
import { Currency } from './shared/money.ts';
import { leaseMigrations, releaseAllLeases } from './worker/claim.ts';
import { Worker } from './worker/worker.ts';

export interface OpenOptions {
  config: Config;
  log: Log;
  /** Other modules than the edition's, for tests. */
  modules?: readonly Module[];
  clock?: () => number;
}

/** An installation opened: for the command line to work on, or to be served. */
export interface App {
  readonly site: Site;
  readonly folder: DataFolder;
  /** Starts answering and working in the background; resolves with the address. */
  listen(): Promise<{ url: string; server: HttpServer }>;
  /** Works in the background without answering, beside a server that may be running. */
  work(): Promise<void>;
  close(): Promise<void>;
}

export async function openApp({
  config,
  log,
  modules,
  clock = Date.now,
}: OpenOptions): Promise<App> {
  const folder = dataFolder(config.data);
  prepareFolder(folder);
  const keyring = loadKeyring(folder);
  const extensions = new Extensions(await loadExtensions(config.extensions), log);
  const database = openDatabase(folder);
  const settings = new SettingValues(fixedSettings(config));
  const list = modules ?? (config.edition === 'pro' ? proEdition : freeEdition);
  const registry = new Registry(list, settings);

  const migrations = [...leaseMigrations, ...list.flatMap((module) => module.migrations ?? [])];
  const applied = await migrate(database, migrations);
  if (applied.length > 0) log.info({ applied }, 'the database was migrated');

  const forgetting: (() => void)[] = [];
  let worker: Worker | undefined;
  let publicUrl = config.publicUrl || defaultUrl(config, config.port);
  const site: Site = {
    database,
    registry,
    settings,
    calendar: new SiteCalendar(config.timezone),
    currency: new Currency(config.currency),
    edition: config.edition,
    get publicUrl() {
      return publicUrl;
    },
    mail: { smtpUrl: config.smtpUrl, from: config.mailFrom, templates: config.mailTemplates },
    keyring,
    extensions,
    gatewayUrls: { stripe: config.stripeUrl, paypal: config.paypalUrl, wise: config.wiseUrl },
    log,
    metrics: new MetricsRegistry(),
    worker: { isAlive: () => worker?.isAlive() ?? false },
    clock,
    forgetCallers: () => forgetting.forEach((forget) => forget()),
    onForgetCallers: (listener) => forgetting.push(listener),
  };
  await refreshSettings(site);
  for (const module of list) await module.open?.(site);

  let server: HttpServer | undefined;
  let lock: ReturnType<typeof lockForServer>;
  return {
    site,
    folder,
    async listen() {
      lock = lockForServer(folder.lockFile);
      if (!lock) {
        throw new ConfigError(
          `Another server is running on ${folder.path}. Stop it, or choose another --data folder.`,
        );
      }
      const proxies = readProxies(config);
      const tls = await loadCertificate(config, folder);
      watchOtherProcesses(site);
      exposeMetrics(site, database);
      await releaseForgottenLeases(site, folder);
      server = createServer(site, { tls, proxies, limits: new MemoryRateLimitStore() });
      await listenOn(server, config);
      publicUrl = config.publicUrl || defaultUrl(config, portOf(server));
      worker = new Worker(site, { ownJobsOnly: config.worker === 'off' });
      worker.start();
      return { url: publicUrl, server };
    },
    async work() {
      lock = lockForWorker(folder.workerLockFile);
      if (!lock) throw new ConfigError(`Another worker is running on ${folder.path}.`);
      watchOtherProcesses(site);
      worker = new Worker(site);
      worker.start();
    },
    async close() {
      await server?.stop();
      const working = worker?.stop();
      for (const module of list) module.close?.(site);
      await working;
      await database.close();
      lock?.release();
    },
  };
}

function openDatabase(folder: DataFolder): Database {
  try {
    return openSqlite(folder.databaseFile);
  } catch (error) {
    throw new ConfigError(
      `${folder.databaseFile} cannot be used: ${(error as Error).message}. ` +
        'If it is damaged, put it back from a backup.',
    );
  }
}

/** What a crashed server held is free for this one, unless a worker goes on beside it. */
async function releaseForgottenLeases(site: Site, folder: DataFolder): Promise<void> {
  const lock = lockForWorker(folder.workerLockFile);
  if (!lock) return;
  await releaseAllLeases(site);
  lock.release();
}

/** What the command line or another instance changes is in force here within half a second. */
function watchOtherProcesses(site: Site): void {
  site.database.onForeignChange(() => {
    site.forgetCallers();
    refreshSettings(site).catch((error: unknown) =>
      site.log.error({ err: error }, 'settings could not be read again'),
    );
  });
}

async function refreshSettings(site: Site): Promise<void> {
  const stored = await loadSettings(site.database.read, site);
  const known = new Map(
    site.registry.modules.flatMap((module) => module.settings ?? []).map((s) => [s.key, s]),
  );
  const usable = stored.filter(([key, value]) => {
    const setting = known.get(key);
    if (setting && fits(setting, value)) return true;
    if (setting) site.log.warn({ key }, 'a stored setting does not fit and is at its default');
    return false;
  });
  site.settings.apply(usable, { whole: true });
}

function exposeMetrics(site: Site, database: Database): void {
  collectDefaultMetrics({ register: site.metrics });
  new Gauge({
    name: 'tributary_database_statements',
    help: 'Statements run since the start.',
    registers: [site.metrics],
    collect() {
      this.set(database.queriesRun());
    },
  });
}

async function listenOn(server: HttpServer, config: Config): Promise<void> {
  try {
    await server.fastify.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new ConfigError(
        `Port ${config.port} is in use. Choose another with --port or TRIBUTARY_PORT.`,
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigError(`This machine has no address ${config.host}: see --host.`);
    }
    throw error;
  }
}

function portOf(server: HttpServer): number {
  const address = server.fastify.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function readProxies(config: Config): TrustedProxies {
  try {
    return new TrustedProxies(config.trustedProxies);
  } catch (error) {
    throw new ConfigError(`TRIBUTARY_TRUSTED_PROXIES: ${(error as Error).message}.`);
  }
}

function defaultUrl(config: Config, port: number): string {
  const everywhere = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(config.host);
  const host = everywhere
    ? 'localhost'
    : config.host.includes(':')
      ? `[${config.host}]`
      : config.host;
  const scheme = config.tls === 'off' ? 'http' : 'https';
  return `${scheme}://${host}:${port}`;
}
