import type { Command } from 'commander';
import type { UserFlags } from '../passwords.ts';
import type { Flags } from '../with-site.ts';

export function addPasswords(program: Command): Command[] {
  const passwords = program
    .command('passwords')
    .description('application passwords, for HTTP Basic');
  return [
    passwords
      .command('create')
      .description('make an application password and show it this once')
      .requiredOption('--user <login>', 'login or e-mail address of its owner')
      .option('--description <text>', 'a label for people')
      .addHelpText('after', '\nExample:\n  ./tributary passwords create --user admin')
      .action(async (flags: UserFlags) => (await import('../passwords.ts')).create(flags)),
    passwords
      .command('list')
      .description("list a user's application passwords")
      .requiredOption('--user <login>', 'login or e-mail address of their owner')
      .addHelpText('after', '\nExample:\n  ./tributary passwords list --user admin')
      .action(async (flags: UserFlags) => (await import('../passwords.ts')).list(flags)),
    passwords
      .command('revoke')
      .description('make an application password invalid')
      .argument('<id>', 'its number')
      .addHelpText('after', '\nExample:\n  ./tributary passwords revoke 1')
      .action(async (id: string, flags: Flags) =>
        (await import('../passwords.ts')).revoke(id, flags),
      ),
  ];
}
