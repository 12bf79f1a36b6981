import { resolveConfig } from '../config.ts';
import { print, table } from './output.ts';
import type { Flags } from './with-site.ts';

export function showConfig(flags: Flags): void {
  const { origins } = resolveConfig(flags, process.env);
  print(flags.json, origins, () =>
    table(
      ['flag', 'environment', 'value', 'from'],
      origins.map((o) => [o.flag || '(none)', o.env, o.value || '(none)', o.source]),
    ),
  );
}
