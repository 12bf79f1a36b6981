import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addStart(program: Command): Command {
  return program
    .command('start')
    .description('run the service')
    .addHelpText('after', '\nExample:\n  ./tributary start --port 9443 --timezone Europe/Berlin')
    .action(async (flags: Flags) => (await import('../start.ts')).start(flags));
}
