import { isDeepStrictEqual } from 'node:util';
import Type, { type Static, type TSchema, type TString } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Reader } from '../../db/database.ts';
import type { Role } from './caller.ts';
import type { Site } from './site.ts';

/** A value that a site may change while it runs. */
export interface SettingDefinition<S extends TSchema = TSchema> {
  readonly key: string;
  readonly schema: S;
  readonly default: Static<S>;
  readonly help: string;
  /** Managers may change it too. Without this, only administrators may. */
  readonly managersMayChange?: true;
  /** A credential: stored encrypted, and never shown again. */
  readonly secret?: true;
  /** What the schema cannot tell: a reason to refuse a value, or nothing. */
  readonly check?: (value: Static<S>, site: Site) => string | undefined;
  /** What only the database can tell: a reason why it may not take another value, or nothing. */
  readonly refuseChange?: (db: Reader) => Promise<string | undefined>;
}

/** Declares a setting that only administrators may change. */
export function defineSetting<S extends TSchema>(
  key: string,
  schema: S,
  defaultValue: Static<S>,
  help: string,
  check?: SettingDefinition<S>['check'],
): SettingDefinition<S> {
  return { key, schema, default: defaultValue, help, ...(check && { check }) };
}

/** Declares a setting of the everyday running of the program, which managers may change too. */
export function defineManagerSetting<S extends TSchema>(
  ...declaration: Parameters<typeof defineSetting<S>>
): SettingDefinition<S> {
  return { ...defineSetting(...declaration), managersMayChange: true };
}

/** The roles that may change a setting. */
export function rolesThatMayChange({ managersMayChange }: SettingDefinition): Role[] {
  return managersMayChange ? ['administrator', 'manager'] : ['administrator'];
}

/** What stands in for a secret wherever settings are shown. */
export const SECRET_MASK = '********';

/** A credential, empty while there is none. Code reads it like any setting; people never do. */
export function defineSecretSetting(key: string, help: string): SettingDefinition<TString> {
  const schema = Type.String({ maxLength: 500, pattern: '^[!-~]*$', format: 'password' });
  return { ...defineSetting(key, schema, '', help), secret: true };
}

/** A value as it may be shown. */
export function shownValue(setting: SettingDefinition, value: unknown): unknown {
  return setting.secret && value !== '' ? SECRET_MASK : value;
}

declare module './site.ts' {
  interface Site {
    readonly settings: SettingValues;
  }
}

/**
 * The current values, in memory. Code that changes a setting applies it here after the commit;
 * changes of other processes are loaded from the database.
 */
export class SettingValues {
  #changed = new Map<string, unknown>();
  #listeners: (() => void)[] = [];
  /** How often values were taken over: who reads and comes back sees whether anything happened. */
  changes = 0;
  readonly #fixed: ReadonlyMap<string, unknown>;

  /** `fixed`: what the configuration decides, whatever is stored. */
  constructor(fixed: ReadonlyMap<string, unknown> = new Map()) {
    this.#fixed = fixed;
  }

  get<S extends TSchema>(setting: SettingDefinition<S>): Static<S> {
    if (this.isFixed(setting)) return this.#fixed.get(setting.key) as Static<S>;
    return (
      this.#changed.has(setting.key) ? this.#changed.get(setting.key) : setting.default
    ) as Static<S>;
  }

  /** What the database holds, whatever the configuration says; undefined where it holds nothing. */
  stored<S extends TSchema>(setting: SettingDefinition<S>): Static<S> | undefined {
    return this.#changed.get(setting.key) as Static<S> | undefined;
  }

  /** Whether the configuration decides this one, so that changing it would change nothing. */
  isFixed(setting: SettingDefinition): boolean {
    return this.#fixed.has(setting.key);
  }

  /** Takes over changed values; `whole` means that settings not named are at their default. */
  apply(values: Iterable<[string, unknown]>, options: { whole: boolean }): void {
    const before = this.#changed;
    this.#changed = new Map(options.whole ? values : [...before, ...values]);
    this.changes += 1;
    // Settings are read again after any change of another process: mostly they are still the same.
    if (isDeepStrictEqual(before, this.#changed)) return;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

const checks = new WeakMap<SettingDefinition, (value: unknown) => boolean>();

/** Whether a stored value still fits its setting: a later version may have narrowed it. */
export function fits(setting: SettingDefinition, value: unknown): boolean {
  let check = checks.get(setting);
  if (!check) {
    const compiled = Compile(setting.schema);
    checks.set(setting, (check = (candidate) => compiled.Check(candidate)));
  }
  return check(value);
}
