import {
  currencyCode,
  integerBetween,
  longToken,
  mailAddress,
  mailServer,
  nonEmpty,
  oneOf,
  redisAddress,
  safeAddress,
  timeZone,
  visibleText,
  webAddress,
} from './config-values.ts';
import { databaseAddress } from '../db/database-address.ts';

export interface ConfigKey<T> {
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  /** What stands in for a value in the help text. */
  readonly placeholder: string;
  readonly default: string;
  /** Holds a password: never shown, and without a flag, since others can see flags. */
  readonly secret?: boolean;
  /** The setting that this value decides where it is given. */
  readonly setting?: string;
  /** Throws in words that complete the sentence "TRIBUTARY_X must …". */
  parse(text: string): T;
}

function key<T>(definition: Omit<ConfigKey<T>, 'env'> & { env?: string }): ConfigKey<T> {
  const env = `TRIBUTARY_${definition.flag.replaceAll('-', '_').toUpperCase()}`;
  return { env, ...definition };
}

/** Everything that is decided before the service starts. What can change later is a setting. */
export const configKeys = {
  data: key({
    flag: 'data',
    placeholder: 'FOLDER',
    default: './data',
    help: 'where the database, the secrets and the certificate are kept',
    parse: nonEmpty,
  }),
  databaseUrl: key({
    flag: 'database-url',
    // The name that every platform gives it.
    env: 'DATABASE_URL',
    placeholder: 'URL',
    default: '',
    help: 'postgres://user:password@host:5432/name: a PostgreSQL database in place of the file',
    secret: true,
    parse: databaseAddress,
  }),
  redisUrl: key({
    flag: 'redis-url',
    env: 'REDIS_URL',
    placeholder: 'URL',
    default: '',
    help: 'redis://user:password@host:6379: where several instances count together',
    secret: true,
    parse: redisAddress,
  }),
  host: key({
    flag: 'host',
    placeholder: 'ADDRESS',
    default: '127.0.0.1',
    help: 'the address to listen on; 0.0.0.0 for all',
    parse: nonEmpty,
  }),
  port: key({
    flag: 'port',
    placeholder: 'PORT',
    default: '8443',
    help: 'the port to listen on; 0 for any free one',
    parse: integerBetween(0, 65_535),
  }),
  tls: key({
    flag: 'tls',
    placeholder: 'auto|files|off',
    default: 'auto',
    help: 'auto: a certificate made for this machine; files: your own; off: a proxy does it',
    parse: oneOf('auto', 'files', 'off'),
  }),
  tlsCert: key({
    flag: 'tls-cert',
    placeholder: 'FILE',
    default: '',
    help: 'with files: the certificate chain, PEM',
    parse: String,
  }),
  tlsKey: key({
    flag: 'tls-key',
    placeholder: 'FILE',
    default: '',
    help: 'with files: the private key, PEM',
    parse: String,
  }),
  trustedProxies: key({
    flag: 'trusted-proxies',
    placeholder: 'LIST',
    default: '',
    help: 'addresses or ranges whose X-Forwarded-* headers count, with commas between',
    parse: (text) => text.split(/[\s,]+/).filter(Boolean),
  }),
  maxConnections: key({
    flag: 'max-connections',
    placeholder: 'NUMBER',
    default: '10000',
    help: 'connections that may be open at the same time',
    parse: integerBetween(10, 1_000_000),
  }),
  networkConnections: key({
    flag: 'network-connections',
    placeholder: 'NUMBER',
    default: '500',
    help: 'of these, how many one IPv4 address or IPv6 /64 may have; trusted proxies any number',
    parse: integerBetween(1, 1_000_000),
  }),
  publicUrl: key({
    flag: 'public-url',
    placeholder: 'URL',
    default: '',
    help: 'the address people reach the service at, when it is not the one it listens on',
    parse: webAddress,
  }),
  edition: key({
    flag: 'edition',
    placeholder: 'pro|free',
    default: 'pro',
    help: 'free has no payouts, webhooks or levels',
    parse: oneOf('pro', 'free'),
  }),
  timezone: key({
    flag: 'timezone',
    placeholder: 'ZONE',
    default: '',
    setting: 'site.timezone',
    help: 'the time zone, such as Europe/Berlin, in place of the setting site.timezone',
    parse: timeZone,
  }),
  currency: key({
    flag: 'currency',
    placeholder: 'CODE',
    default: '',
    setting: 'site.currency',
    help: 'the currency, three letters, in place of the setting site.currency',
    parse: currencyCode,
  }),
  worker: key({
    flag: 'worker',
    placeholder: 'on|off',
    default: 'on',
    help: 'off: background jobs are left to "./tributary worker", a process of its own',
    parse: oneOf('on', 'off'),
  }),
  stopDelay: key({
    flag: 'stop-delay',
    placeholder: 'SECONDS',
    default: '1',
    help: 'how long it goes on answering, no longer ready, once it is to stop: until a load balancer knows',
    parse: integerBetween(0, 60),
  }),
  metrics: key({
    flag: 'metrics',
    placeholder: 'off|loopback',
    default: 'off',
    help: 'loopback: processes on this machine may read /metrics; not beside a proxy on this machine',
    parse: oneOf('off', 'loopback'),
  }),
  metricsToken: key({
    flag: 'metrics-token',
    placeholder: 'TEXT',
    default: '',
    help: 'who sends it as a bearer token may read /metrics: 16 or more characters',
    secret: true,
    parse: longToken,
  }),
  extensions: key({
    flag: 'extensions',
    placeholder: 'FILE',
    default: '',
    help: "a module with the site's own extension",
    parse: String,
  }),
  smtpUrl: key({
    flag: 'smtp-url',
    placeholder: 'URL',
    default: '',
    help: 'the mail server: smtp://user:password@host:587, or smtps://; without one mails wait',
    secret: true,
    parse: mailServer,
  }),
  mailFrom: key({
    flag: 'mail-from',
    placeholder: 'EMAIL',
    default: '',
    help: 'the address mails come from',
    parse: mailAddress,
  }),
  mailTemplates: key({
    flag: 'mail-templates',
    placeholder: 'FOLDER',
    default: '',
    help: "a folder with the site's own texts of mails",
    parse: String,
  }),
  adminEmail: key({
    flag: 'admin-email',
    placeholder: 'EMAIL',
    default: '',
    help: 'makes the first administrator without asking, with the two below',
    parse: String,
  }),
  adminLogin: key({
    flag: 'admin-login',
    placeholder: 'LOGIN',
    default: 'admin',
    help: "the first administrator's login",
    parse: nonEmpty,
  }),
  adminPasswordFile: key({
    flag: 'admin-password-file',
    placeholder: 'FILE',
    default: '',
    help: "a file that holds the first administrator's password",
    parse: String,
  }),
  logLevel: key({
    flag: 'log-level',
    placeholder: 'LEVEL',
    default: 'info',
    help: 'debug, info, warn, error or silent',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  }),
  logFormat: key({
    flag: 'log-format',
    placeholder: 'auto|pretty|json',
    default: 'auto',
    help: 'pretty: lines for people; json: a line of JSON per entry; auto: pretty on a terminal',
    parse: oneOf('auto', 'pretty', 'json'),
  }),
  stripeKey: credential('stripe-key', 'payouts.stripe_key'),
  paypalClientId: credential('paypal-client-id', 'payouts.paypal_client_id'),
  paypalSecret: credential('paypal-secret', 'payouts.paypal_secret'),
  wiseToken: credential('wise-token', 'payouts.wise_token'),
  // Not settings: whoever could change where credentials are sent could have them.
  stripeUrl: gatewayUrl('stripe-url', 'Stripe', 'https://api.stripe.com'),
  paypalUrl: gatewayUrl('paypal-url', 'PayPal', 'https://api-m.paypal.com'),
  wiseUrl: gatewayUrl('wise-url', 'Wise', 'https://api.wise.com'),
};

function credential(flag: string, setting: string): ConfigKey<string> {
  const help = `in place of the setting ${setting}`;
  const shape = { flag, setting, help, placeholder: 'TEXT', default: '', secret: true } as const;
  return key({ ...shape, parse: visibleText });
}

function gatewayUrl(flag: string, name: string, address: string): ConfigKey<string> {
  const help = `where ${name} is, if it is not the real one: a sandbox`;
  return key({ flag, help, placeholder: 'URL', default: address, parse: safeAddress });
}
