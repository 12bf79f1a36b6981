import { databaseAddress } from '../db/database-address.ts';
import { addons } from '../edition-pro.ts';
import type { Addon } from '../kernel/declare/addon.ts';
import { configKey, type ConfigSection } from '../kernel/declare/config.ts';
import { filesConfig } from '../modules/files/config.ts';
import { mailConfig } from '../modules/mail/config.ts';
import { webConfig } from '../modules/web/config.ts';
import {
  currencyCode,
  integerBetween,
  longToken,
  nonEmpty,
  oneOf,
  redisAddress,
  timeZone,
  webAddress,
} from '../shared/config-values.ts';

const serverKeys = {
  data: configKey({
    flag: 'data',
    placeholder: 'FOLDER',
    default: './data',
    help: 'where the database, the secrets and the certificate are stored',
    parse: nonEmpty,
  }),
  databaseUrl: configKey({
    flag: 'database-url',
    // The name that hosting platforms use.
    env: 'DATABASE_URL',
    placeholder: 'URL',
    default: '',
    help: 'postgres://user:password@host:5432/name: a PostgreSQL database instead of the SQLite file',
    secret: true,
    parse: databaseAddress,
  }),
  redisUrl: configKey({
    flag: 'redis-url',
    env: 'REDIS_URL',
    placeholder: 'URL',
    default: '',
    help: 'redis://user:password@host:6379: instances share rate limits and lock-outs',
    secret: true,
    parse: redisAddress,
  }),
  host: configKey({
    flag: 'host',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    help: 'the address to listen on; 0.0.0.0 for all',
    parse: nonEmpty,
  }),
  port: configKey({
    flag: 'port',
    placeholder: 'PORT',
    default: '8443',
    help: 'the port to listen on; 0 for any free one',
    parse: integerBetween(0, 65_535),
  }),
  tls: configKey({
    flag: 'tls',
    placeholder: 'auto|files|off',
    default: 'auto',
    help: 'auto: a self-signed certificate; files: your own; off: a proxy handles TLS',
    parse: oneOf('auto', 'files', 'off'),
  }),
  tlsCert: configKey({
    flag: 'tls-cert',
    placeholder: 'FILE',
    default: '',
    help: 'with files: the certificate chain, PEM',
    parse: String,
  }),
  tlsKey: configKey({
    flag: 'tls-key',
    placeholder: 'FILE',
    default: '',
    help: 'with files: the private key, PEM',
    parse: String,
  }),
  trustedProxies: configKey({
    flag: 'trusted-proxies',
    placeholder: 'LIST',
    default: '',
    help: 'addresses or ranges whose X-Forwarded-* headers are trusted, separated by commas',
    parse: (text) => text.split(/[\s,]+/).filter(Boolean),
  }),
  maxConnections: configKey({
    flag: 'max-connections',
    placeholder: 'NUMBER',
    default: '10000',
    help: 'maximum number of open connections',
    parse: integerBetween(10, 1_000_000),
  }),
  networkConnections: configKey({
    flag: 'network-connections',
    placeholder: 'NUMBER',
    default: '500',
    help: 'maximum per IPv4 address or IPv6 /64; trusted proxies have no limit',
    parse: integerBetween(1, 1_000_000),
  }),
  publicUrl: configKey({
    flag: 'public-url',
    placeholder: 'URL',
    default: '',
    help: 'the public URL of the service, if it differs from host and port',
    parse: webAddress,
  }),
  edition: configKey({
    flag: 'edition',
    placeholder: 'pro|free',
    default: 'pro',
    help: 'free has no payouts, webhooks or multilevel commissions',
    parse: oneOf('pro', 'free'),
  }),
  timezone: configKey({
    flag: 'timezone',
    placeholder: 'ZONE',
    default: '',
    setting: 'site.timezone',
    help: 'the time zone, such as Europe/Berlin; overrides the setting site.timezone',
    parse: timeZone,
  }),
  currency: configKey({
    flag: 'currency',
    placeholder: 'CODE',
    default: '',
    setting: 'site.currency',
    help: 'the currency as a three-letter code; overrides the setting site.currency',
    parse: currencyCode,
  }),
  worker: configKey({
    flag: 'worker',
    placeholder: 'on|off',
    default: 'on',
    help: 'off: a separate "./tributary worker" process runs the background jobs',
    parse: oneOf('on', 'off'),
  }),
  stopDelay: configKey({
    flag: 'stop-delay',
    placeholder: 'SECONDS',
    default: '1',
    help: 'seconds to keep serving after SIGTERM while /readyz is 503',
    parse: integerBetween(0, 60),
  }),
  metrics: configKey({
    flag: 'metrics',
    placeholder: 'off|loopback',
    default: 'off',
    help: 'loopback: processes on this machine may read /metrics; do not use it with a proxy on this machine',
    parse: oneOf('off', 'loopback'),
  }),
  metricsToken: configKey({
    flag: 'metrics-token',
    placeholder: 'TEXT',
    default: '',
    help: 'bearer token for /metrics, at least 16 characters',
    secret: true,
    parse: longToken,
  }),
  extensions: configKey({
    flag: 'extensions',
    placeholder: 'FILE',
    default: '',
    help: "a module with the site's own extension",
    parse: String,
  }),
};

const processKeys = {
  adminEmail: configKey({
    flag: 'admin-email',
    placeholder: 'EMAIL',
    default: '',
    help: 'creates the first administrator without the setup link, with the two values below',
    parse: String,
  }),
  adminLogin: configKey({
    flag: 'admin-login',
    placeholder: 'LOGIN',
    default: 'admin',
    help: "the first administrator's login",
    parse: nonEmpty,
  }),
  adminPasswordFile: configKey({
    flag: 'admin-password-file',
    placeholder: 'FILE',
    default: '',
    help: "a file that holds the first administrator's password",
    parse: String,
  }),
  logLevel: configKey({
    flag: 'log-level',
    placeholder: 'LEVEL',
    default: 'info',
    help: 'debug, info, warn, error or silent',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  logFormat: configKey({
    flag: 'log-format',
    placeholder: 'auto|pretty|json',
    default: 'auto',
    help: 'pretty: readable lines; json: one JSON object per line; auto: pretty on a terminal',
    parse: oneOf('auto', 'pretty', 'json'),
  }),
};

/** Every configuration key, in the order of the help text. */
export const configKeys = {
  ...serverKeys,
  ...webConfig.keys,
  ...mailConfig.keys,
  ...filesConfig.keys,
  ...processKeys,
  ...addonKeys(),
};

/** The sections of the modules. */
export const configSections: readonly ConfigSection[] = [
  webConfig,
  mailConfig,
  filesConfig,
  ...sectionsOf(addons),
];

type SectionKeys<A> = A extends { config: ConfigSection<infer Keys> } ? Keys : object;
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer I,
) => void
  ? I
  : never;

function sectionsOf(all: readonly Addon[]): ConfigSection[] {
  return all.flatMap(({ config }) => config ?? []);
}

type AddonKeys = Intersection<SectionKeys<(typeof addons)[number]>>;

function addonKeys(): AddonKeys {
  const entries = sectionsOf(addons).flatMap(({ keys }) => Object.entries(keys));
  // `fromEntries` loses the names, which the type computes from the same list.
  return Object.fromEntries(entries) as AddonKeys;
}
