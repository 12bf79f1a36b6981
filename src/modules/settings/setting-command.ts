import { invoke } from '../../kernel/call/invoke.ts';
import { CommandError } from '../../kernel/declare/command.ts';
import type { CommandContext } from '../../kernel/declare/command.ts';
import type { SettingDefinition } from '../../kernel/declare/setting.ts';
import { didYouMean } from '../../shared/nearest.ts';
import { textTable } from '../../shared/text-table.ts';
import { changeSettings } from './change-settings.ts';
import { getSettings } from './get-settings.ts';

type Values = Record<string, unknown>;

export async function get(
  { withSite, print }: CommandContext,
  key: string | undefined,
): Promise<void> {
  await withSite(async (site) => {
    const values = await invoke<Values>(site, getSettings);
    if (key !== undefined) {
      requireKnown(key, values);
      print(values[key], () => words(values[key]));
      return;
    }
    print(values, () =>
      textTable(
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

export async function set(
  { withSite, print }: CommandContext,
  key: string,
  value: string,
): Promise<void> {
  await withSite(async (site) => {
    requireKnown(key, await invoke<Values>(site, getSettings));
    const setting = site.registry.settings().get(key)!;
    const values = await invoke<Values>(site, changeSettings, { [key]: readValue(setting, value) });
    print({ [key]: values[key] }, () => `${key} is now ${words(values[key])}`);
  });
}

/** Restores the default of a setting. */
export async function unset({ withSite, print }: CommandContext, key: string): Promise<void> {
  await withSite(async (site) => {
    requireKnown(key, await invoke<Values>(site, getSettings));
    const values = await invoke<Values>(site, changeSettings, {
      [key]: site.registry.settings().get(key)!.default,
    });
    print({ [key]: values[key] }, () => `${key} has its default again: ${words(values[key])}`);
  });
}

/** Arrays and objects may be given as JSON; the schema of the setting parses any other text. */
function readValue({ key, schema }: SettingDefinition, text: string): unknown {
  const { type } = schema as { type?: string };
  if (type !== 'array' && type !== 'object') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // A list may also be separated by commas.
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
