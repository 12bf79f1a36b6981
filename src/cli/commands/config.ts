import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addConfig(program: Command): Command {
  return program
    .command('config')
    .description('show every configuration value and where it comes from')
    .addHelpText('after', '\nExample:\n  ./tributary config --port 9443')
    .action(async (flags: Flags) => (await import('../config.ts')).showConfig(flags));
}
