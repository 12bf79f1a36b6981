import { invoke } from '../kernel/call/invoke.ts';
import type { SettingDefinition } from '../kernel/declare/setting.ts';
import { changeSettings, getSettings } from '../modules/settings/index.ts';
import { didYouMean } from '../shared/nearest.ts';
import { CommandError } from './failure.ts';
import { print, table } from './output.ts';
import { withSite, type Flags } from './with-site.ts';

type Values = Record<string, unknown>;

export async function get(key: string | undefined, flags: Flags): Promise<void> {
  await withSite(flags, async (site) => {
    const values = await invoke<Values>(site, getSettings);
    if (key !== undefined) {
      requireKnown(key, values);
      print(flags.json, values[key], () => words(values[key]));
      return;
    }
    print(flags.json, values, () =>
      table(
        ['setting', 'value', 'what it does'],
        Object.entries(values).map(([name, value]) => [
          name,
          words(value),
          site.registry.settings().get(name)!.help,
        ]),
      ),
    );
  });
}

export async function set(key: string, value: string, flags: Flags): Promise<void> {
  await withSite(flags, async (site) => {
    requireKnown(key, await invoke<Values>(site, getSettings));
    const setting = site.registry.settings().get(key)!;
    const values = await invoke<Values>(site, changeSettings, { [key]: readValue(setting, value) });
    print(flags.json, { [key]: values[key] }, () => `${key} is now ${words(values[key])}`);
  });
}

/** Gives a setting its default again. */
export async function unset(key: string, flags: Flags): Promise<void> {
  await withSite(flags, async (site) => {
    requireKnown(key, await invoke<Values>(site, getSettings));
    const values = await invoke<Values>(site, changeSettings, {
      [key]: site.registry.settings().get(key)!.default,
    });
    print(
      flags.json,
      { [key]: values[key] },
      () => `${key} has its default again: ${words(values[key])}`,
    );
  });
}

/** Lists and objects may be written as JSON; anything else is text that the contract reads. */
function readValue({ key, schema }: SettingDefinition, text: string): unknown {
  const { type } = schema as { type?: string };
  if (type !== 'array' && type !== 'object') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // A list may be written with commas, too.
    if (type === 'array' && !text.trimStart().startsWith('[')) return text;
    const example = type === 'array' ? `'["a", "b"]'` : `'{"name": 5}'`;
    throw new CommandError(
      'usage',
      `${key} takes ${type === 'array' ? 'a list' : 'an object'} as JSON, like ${example}, and ${text} is not JSON: ${(error as Error).message}`,
    );
  }
}

function requireKnown(key: string, values: Values): void {
  if (Object.hasOwn(values, key)) return;
  throw new CommandError(
    'notFound',
    `There is no setting ${key}.${didYouMean(key, Object.keys(values))} ` +
      'To list all: ./tributary settings get',
  );
}

function words(value: unknown): string {
  if (value === '') return '(empty)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
