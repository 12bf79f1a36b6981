import {
  currencyCode,
  integerBetween,
  mailAddress,
  mailServer,
  nonEmpty,
  oneOf,
  safeAddress,
  timeZone,
  visibleText,
  webAddress,
} from './config-values.ts';
import { didYouMean } from './shared/nearest.ts';

/** Configuration that cannot be used: said in words that tell what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export type Source = 'flag' | 'environment' | 'default';

interface ConfigKey<T> {
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

function key<T>(definition: Omit<ConfigKey<T>, 'env'>): ConfigKey<T> {
  return { ...definition, env: `TRIBUTARY_${definition.flag.replaceAll('-', '_').toUpperCase()}` };
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
    default: 'UTC',
    help: "the site's time zone: Europe/Berlin",
    parse: timeZone,
  }),
  currency: key({
    flag: 'currency',
    placeholder: 'CODE',
    default: 'USD',
    help: "the store's currency, three letters",
    parse: currencyCode,
  }),
  worker: key({
    flag: 'worker',
    placeholder: 'on|off',
    default: 'on',
    help: 'off: background jobs are left to "tributary worker", a process of its own',
    parse: oneOf('on', 'off'),
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

export type ConfigName = keyof typeof configKeys;
export type Config = { [K in ConfigName]: ReturnType<(typeof configKeys)[K]['parse']> };

export interface ResolvedConfig {
  config: Config;
  /** Every value as it was given, unless it is secret, with where it came from. */
  origins: { name: ConfigName; flag: string; env: string; value: string; source: Source }[];
}

/** Flags, then the environment, then defaults. An unknown TRIBUTARY_ variable is refused. */
export function resolveConfig(
  flags: Partial<Record<ConfigName, string>>,
  environment: Record<string, string | undefined>,
): ResolvedConfig {
  refuseUnknown(environment);
  const origins = (Object.keys(configKeys) as ConfigName[]).map((name) => {
    const { flag, env, default: fallback, secret }: ConfigKey<unknown> = configKeys[name];
    const [value, source]: [string, Source] =
      flags[name] !== undefined
        ? [flags[name], 'flag']
        : environment[env] !== undefined
          ? [environment[env], 'environment']
          : [fallback, 'default'];
    return { name, flag: secret ? '' : `--${flag}`, env, value, source };
  });
  const config = Object.fromEntries(origins.map((origin) => [origin.name, parse(origin)]));
  refuseContradictions(config as Config);
  return { config: config as Config, origins: origins.map(masked) };
}

/** The settings that the configuration decides, with their values. */
export function fixedSettings(config: Config): Map<string, string> {
  const given = (Object.keys(configKeys) as ConfigName[]).flatMap((name) => {
    const { setting }: ConfigKey<unknown> = configKeys[name];
    const value = String(config[name]);
    return setting !== undefined && value !== '' ? [[setting, value] as const] : [];
  });
  return new Map(given);
}

type Origin = ResolvedConfig['origins'][number];

function parse(origin: Origin): unknown {
  const definition: ConfigKey<unknown> = configKeys[origin.name];
  try {
    return definition.parse(origin.value);
  } catch (error) {
    const name = origin.source === 'flag' ? origin.flag : origin.env;
    const given = definition.secret ? '' : `, not "${origin.value}"`;
    throw new ConfigError(`${name} must ${(error as Error).message}${given}.`);
  }
}

function masked(origin: Origin): Origin {
  const definition: ConfigKey<unknown> = configKeys[origin.name];
  return definition.secret && origin.value !== '' ? { ...origin, value: '[secret]' } : origin;
}

function refuseUnknown(environment: Record<string, string | undefined>): void {
  const known: string[] = Object.values(configKeys).map(({ env }) => env);
  for (const name of Object.keys(environment)) {
    if (name.startsWith('TRIBUTARY_') && !known.includes(name)) {
      throw new ConfigError(
        `${name} is not known.${didYouMean(name, known)} ` +
          'Run "tributary config" without it to see all there are.',
      );
    }
  }
}

function refuseContradictions(config: Config): void {
  if (config.tls === 'files' && (config.tlsCert === '' || config.tlsKey === '')) {
    throw new ConfigError('TRIBUTARY_TLS=files needs TRIBUTARY_TLS_CERT and TRIBUTARY_TLS_KEY.');
  }
  if ((config.adminEmail === '') !== (config.adminPasswordFile === '')) {
    throw new ConfigError(
      'TRIBUTARY_ADMIN_EMAIL and TRIBUTARY_ADMIN_PASSWORD_FILE go together: give both or neither.',
    );
  }
  if (config.smtpUrl !== '' && config.mailFrom === '') {
    throw new ConfigError(
      'TRIBUTARY_SMTP_URL needs TRIBUTARY_MAIL_FROM, the address mails come from.',
    );
  }
}
