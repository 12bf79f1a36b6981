import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addVerify(program: Command): Command {
  return program
    .command('verify')
    .description('recompute every balance from the ledger and compare')
    .addHelpText('after', '\nExample:\n  ./tributary verify')
    .action(async (flags: Flags) => (await import('../verify.ts')).verify(flags));
}
