import type { Site } from './site.ts';

/** A value that is fixed when the service starts. A value that can change later is a setting. */
export interface ConfigKey<T> {
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  /** Stands for the value in the help text. */
  readonly placeholder: string;
  readonly default: string;
  /** A credential. It is never shown and has no flag, because other users can list command lines. */
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
 * The configuration of one module. The command line reads it without loading the module, so the file
 * that declares it imports no other file of the module.
 */
export interface ConfigSection<Keys extends ConfigKeys = ConfigKeys> {
  readonly keys: Keys;
  /** Returns the reason why this combination of values is invalid, or undefined. */
  refuse?(values: ConfigValues<Keys>): string | undefined;
}

export function configSection<const Keys extends ConfigKeys>(
  section: ConfigSection<Keys>,
): ConfigSection<Keys> {
  return section;
}

export function configOf<Keys extends ConfigKeys>(
  { config }: Pick<Site, 'config'>,
  _section: ConfigSection<Keys>,
): ConfigValues<Keys> {
  // The type of `config` is general; `resolveConfig` has parsed every section before a site is opened.
  return config as ConfigValues<Keys>;
}
