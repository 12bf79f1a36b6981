import { Option, type Command } from 'commander';
import type { AdminFlags } from '../admin.ts';

export function addAdmin(program: Command): Command[] {
  const admin = program.command('admin').description('people who run the program');
  const create = admin
    .command('create')
    .description('make an administrator or a manager')
    .requiredOption('--email <email>', 'e-mail address')
    .requiredOption('--login <login>', 'login')
    .option('--name <name>', 'the name to show; the login when not given')
    .addOption(
      new Option('--role <role>', 'managers may do all but webhooks and other admins')
        .choices(['administrator', 'manager'])
        .default('administrator'),
    )
    .option(
      '--password-file <file>',
      'a file with the password; otherwise one is made up and shown',
    )
    .addHelpText(
      'after',
      '\nExample:\n  ./tributary admin create --login ann --email ann@example.com',
    )
    .action(async (flags: AdminFlags) => (await import('../admin.ts')).createAdmin(flags));
  return [create];
}
