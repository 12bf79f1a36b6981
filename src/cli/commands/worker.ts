import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addWorker(program: Command): Command {
  return program
    .command('worker')
    .description('run only the background jobs: webhooks, mails, payouts')
    .addHelpText(
      'after',
      '\nExample:\n  ./tributary worker\n\nA server does this by itself unless it is started with --worker off.',
    )
    .action(async (flags: Flags) => (await import('../worker.ts')).work(flags));
}
