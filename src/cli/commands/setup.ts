import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addSetup(program: Command): Command {
  return program
    .command('setup')
    .description(
      'print a new setup link, which ends the older one; while there is no administrator',
    )
    .addHelpText('after', '\nExample:\n  ./tributary setup')
    .action(async (flags: Flags) => (await import('../setup.ts')).printSetupLink(flags));
}
