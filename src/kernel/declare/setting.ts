import { isDeepStrictEqual } from 'node:util';
import Type, { type Static, type TSchema, type TString } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Reader } from '../../db/database.ts';
import type { Role } from './caller.ts';
import type { Site } from './site.ts';

/** A value that can be changed while the service runs. */
export interface SettingDefinition<S extends TSchema = TSchema> {
  readonly key: string;
  readonly schema: S;
  readonly default: Static<S>;
  readonly help: string;
  /** The label of the setting in a form. */
  readonly title?: string;
  /** The part of a form that shows the setting. */
  readonly group?: SettingGroup;
  /** Managers may change the setting too; by default, only administrators may. */
  readonly managersMayChange?: true;
  /** Decides who earns or is paid what, so a session needs a recent proof, like all settings of administrators. */
  readonly movesMoney?: true;
  /** Written by screens for themselves: forms do not show it. */
  readonly isHidden?: true;
  /** A credential, which is stored encrypted and never shown. */
  readonly secret?: true;
  /** A check that the schema cannot express. Returns the reason to refuse the value, or undefined. */
  readonly check?: (value: Static<S>, site: Site) => string | undefined;
  /** The items that a list may hold on this site, for forms. `check` refuses others. */
  readonly choices?: (site: Site) => readonly string[];
  /** Returns the reason why stored rows do not allow another value, or undefined. */
  readonly refuseChange?: (db: Reader) => Promise<string | undefined>;
}

/** Settings that a form shows together. */
export interface SettingGroup {
  readonly name: string;
  readonly title: string;
  /** Groups are shown in this order. */
  readonly position: number;
}

/** Puts settings into a group, each under its title: `inGroup(payouts, { 'Minimum': threshold })`. */
export function inGroup(
  group: SettingGroup,
  settings: Readonly<Record<string, SettingDefinition<any>>>,
): SettingDefinition[] {
  return Object.entries(settings).map(([title, setting]) => ({ ...setting, title, group }));
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

/** Declares a setting of daily operation, which managers may change too. */
export function defineManagerSetting<S extends TSchema>(
  ...declaration: Parameters<typeof defineSetting<S>>
): SettingDefinition<S> {
  return { ...defineSetting(...declaration), managersMayChange: true };
}

/** Declares a setting that managers may change too, and that decides who earns or is paid what. */
export function defineMoneySetting<S extends TSchema>(
  ...declaration: Parameters<typeof defineSetting<S>>
): SettingDefinition<S> {
  return { ...defineManagerSetting(...declaration), movesMoney: true };
}

/** Whether a session needs a recent proof to change it. */
export function asksForProof({ managersMayChange, movesMoney }: SettingDefinition): boolean {
  return !managersMayChange || movesMoney === true;
}

export function rolesThatMayChange({ managersMayChange }: SettingDefinition): Role[] {
  return managersMayChange ? ['administrator', 'manager'] : ['administrator'];
}

/** Replaces a secret wherever settings are shown. */
export const SECRET_MASK = '********';

/** Declares a credential, empty by default. Code reads the value; responses show the mask instead. */
export function defineSecretSetting(key: string, help: string): SettingDefinition<TString> {
  const schema = Type.String({ maxLength: 500, pattern: '^[!-~]*$', format: 'password' });
  return { ...defineSetting(key, schema, '', help), secret: true };
}

/** The value for responses and logs: a secret is masked. */
export function shownValue(setting: SettingDefinition, value: unknown): unknown {
  return setting.secret && value !== '' ? SECRET_MASK : value;
}

declare module './site.ts' {
  interface Site {
    readonly settings: SettingValues;
  }
}

/**
 * The current values, in memory. An operation that changes a setting applies it here after the commit;
 * changes by other processes are loaded from the database.
 */
export class SettingValues {
  #changed = new Map<string, unknown>();
  #listeners: (() => void)[] = [];
  /** The number of calls of `apply`. A reader compares it to detect a change during an `await`. */
  changes = 0;
  readonly #fixed: ReadonlyMap<string, unknown>;

  /** `fixed`: values of the configuration, which override the stored ones. */
  constructor(fixed: ReadonlyMap<string, unknown> = new Map()) {
    this.#fixed = fixed;
  }

  get<S extends TSchema>(setting: SettingDefinition<S>): Static<S> {
    // Both maps hold values that were checked against the setting's schema before they were set.
    if (this.isFixed(setting)) return this.#fixed.get(setting.key) as Static<S>;
    return (
      this.#changed.has(setting.key) ? this.#changed.get(setting.key) : setting.default
    ) as Static<S>;
  }

  /** The stored value, even if the configuration overrides it; undefined if none is stored. */
  stored<S extends TSchema>(setting: SettingDefinition<S>): Static<S> | undefined {
    // Stored values were checked against the setting's schema.
    return this.#changed.get(setting.key) as Static<S> | undefined;
  }

  /** Whether the configuration overrides the setting, so that a stored value has no effect. */
  isFixed(setting: SettingDefinition): boolean {
    return this.#fixed.has(setting.key);
  }

  /** Applies changed values. `whole`: every setting that is not listed returns to its default. */
  apply(values: Iterable<[string, unknown]>, options: { whole: boolean }): void {
    const before = this.#changed;
    this.#changed = new Map(options.whole ? values : [...before, ...values]);
    this.changes += 1;
    // Settings are reloaded after any change by another process, and are mostly unchanged.
    if (isDeepStrictEqual(before, this.#changed)) return;
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

const checks = new WeakMap<SettingDefinition, (value: unknown) => boolean>();

/** Whether a stored value is still valid: a later version may have narrowed the schema. */
export function fits(setting: SettingDefinition, value: unknown): boolean {
  let check = checks.get(setting);
  if (!check) {
    const compiled = Compile(setting.schema);
    checks.set(setting, (check = (candidate) => compiled.Check(candidate)));
  }
  return check(value);
}
