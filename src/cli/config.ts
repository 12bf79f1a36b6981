import { configKeys } from '../installation/config-keys.ts';
import { resolveConfig, type ResolvedConfig } from '../installation/config.ts';
import type { ConfigKey } from '../kernel/declare/config.ts';
import { textTable } from '../shared/text-table.ts';
import { print } from './output.ts';
import type { Flags } from './with-site.ts';

export function showConfig(flags: Flags): void {
  const { origins } = resolveConfig(flags, process.env);
  print(flags.json, origins, () =>
    textTable(
      ['flag', 'environment', 'value', 'from'],
      origins.map((o) => [o.flag || '(none)', o.env, o.value || '(none)', whence(o)]),
    ),
  );
}

/** Some values come from a setting if they are not configured. */
function whence({ name, source }: ResolvedConfig['origins'][number]): string {
  const { setting }: ConfigKey<unknown> = configKeys[name];
  return source === 'default' && setting !== undefined ? `setting ${setting}` : source;
}
