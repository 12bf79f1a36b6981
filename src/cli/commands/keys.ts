import type { Command } from 'commander';
import type { CreateFlags, ListFlags } from '../keys.ts';
import type { Flags } from '../with-site.ts';

export function addKeys(program: Command): Command[] {
  const keys = program.command('keys').description('API keys');
  return [
    keys
      .command('create')
      .description('make an API key and show it this once')
      .requiredOption('--user <login>', 'login or e-mail address of its owner')
      .option('--scopes <list>', 'read, write, manage, with commas between', 'read')
      .option('--expires <day>', 'the last day it is valid, YYYY-MM-DD')
      .option('--description <text>', 'a label for people')
      .addHelpText(
        'after',
        '\nExample:\n  ./tributary keys create --user admin --scopes read,write,manage --expires 2027-12-31',
      )
      .action(async (flags: CreateFlags) => (await import('../keys.ts')).create(flags)),
    keys
      .command('list')
      .description('list the API keys, newest first')
      .option('--user <login>', 'of this user only')
      .option('--status <status>', 'active, revoked or expired')
      .option('--page <number>', 'which hundred', '1')
      .addHelpText('after', '\nExample:\n  ./tributary keys list --status active')
      .action(async (flags: ListFlags) => (await import('../keys.ts')).list(flags)),
    keys
      .command('revoke')
      .description('make a key invalid, at once and for good')
      .argument('<id>', 'the number of the key')
      .addHelpText('after', '\nExample:\n  ./tributary keys revoke 3')
      .action(async (id: string, flags: Flags) => (await import('../keys.ts')).revoke(id, flags)),
  ];
}
