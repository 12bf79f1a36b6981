import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addDemo(program: Command): Command {
  return program
    .command('demo')
    .description('run the service with sample data, recreated each time (in ./demo-data)')
    .addHelpText('after', '\nExample:\n  ./tributary demo --port 9443')
    .action(async (flags: Flags) => (await import('../../tools/demo/demo.ts')).demo(flags));
}
