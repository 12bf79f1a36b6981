import type { ConfigKey, ConfigValues } from '../kernel/declare/config.ts';
import { didYouMean } from '../shared/nearest.ts';
import { configKeys, configSections } from './config-keys.ts';

/** A mistake in the configuration; the message says how to correct it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export type Source = 'flag' | 'environment' | 'default';

export type ConfigName = keyof typeof configKeys;
export type Config = ConfigValues<typeof configKeys>;

export interface ResolvedConfig {
  config: Config;
  /** Every value as given, with its source; secrets are masked. */
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

/** The values of the modules' own sections. */
export function moduleConfig(config: Config): Readonly<Record<string, unknown>> {
  const names = new Set(configSections.flatMap(({ keys }) => Object.keys(keys)));
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.has(name)));
}

/** The settings that the configuration overrides, with their values. */
export function fixedSettings(config: Config): Map<string, unknown> {
  const given = (Object.keys(configKeys) as ConfigName[]).flatMap((name) => {
    const { setting }: ConfigKey<unknown> = configKeys[name];
    const value: unknown = config[name];
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
    // A secret has no flag.
    const name = (origin.source === 'flag' && origin.flag) || origin.env;
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
          'Run "./tributary config" without it to see all there are.',
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
  for (const section of configSections) {
    const refusal = section.refuse?.(config);
    if (refusal !== undefined) throw new ConfigError(refusal);
  }
}
