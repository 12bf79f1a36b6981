import type { Command } from 'commander';
import { resolveConfig } from '../config.ts';
import { print, table } from './output.ts';
import type { Flags } from './with-site.ts';

export function addConfig(program: Command): Command {
  return program
    .command('config')
    .description('show every configuration value and where it comes from')
    .addHelpText('after', '\nExample:\n  ./tributary config --port 9443')
    .action((flags: Flags) => {
      const { origins } = resolveConfig(flags, process.env);
      print(flags.json, origins, () =>
        table(
          ['flag', 'environment', 'value', 'from'],
          origins.map((o) => [o.flag || '(none)', o.env, o.value || '(none)', o.source]),
        ),
      );
    });
}
