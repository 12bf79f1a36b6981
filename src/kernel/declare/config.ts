import type { Site } from './site.ts';

/** A value that is decided before the service starts. What can change later is a setting. */
export interface ConfigKey<T> {
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  /** Shown for the value in the help text. */
  readonly placeholder: string;
  readonly default: string;
  /** Holds a password: never shown, and without a flag, because other users can list processes. */
  readonly secret?: boolean;
  /** The setting that this value overrides when it is given. */
  readonly setting?: string;
  /** Throws an error whose message completes the sentence "TRIBUTARY_X must …". */
  parse(text: string): T;
}

export function configKey<T>(
  definition: Omit<ConfigKey<T>, 'env'> & { env?: string },
): ConfigKey<T> {
  const env = `TRIBUTARY_${definition.flag.replaceAll('-', '_').toUpperCase()}`;
  return { env, ...definition };
}

export type ConfigKeys = Readonly<Record<string, ConfigKey<unknown>>>;
export type ConfigValues<Keys extends ConfigKeys> = {
  readonly [Name in keyof Keys]: ReturnType<Keys[Name]['parse']>;
};

/**
 * The configuration of one module. The command line reads it without the module, so the file that
 * declares it imports nothing else of the module.
 */
export interface ConfigSection<Keys extends ConfigKeys = ConfigKeys> {
  readonly keys: Keys;
  /** Returns why these values do not go together, or nothing. */
  refuse?(values: ConfigValues<Keys>): string | undefined;
}

export function configSection<const Keys extends ConfigKeys>(
  section: ConfigSection<Keys>,
): ConfigSection<Keys> {
  return section;
}

/** The values of a module's own section. */
export function configOf<Keys extends ConfigKeys>(
  { config }: Pick<Site, 'config'>,
  _section: ConfigSection<Keys>,
): ConfigValues<Keys> {
  // `resolveConfig` has parsed every section before a site is opened.
  return config as ConfigValues<Keys>;
}
