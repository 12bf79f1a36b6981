import { defineCommand, type CommandGroup } from '../../kernel/declare/command.ts';
import type { AdminFlags } from './admin-command.ts';

export const adminCommands: CommandGroup = {
  name: 'admin',
  description: 'people who run the program',
  commands: [
    defineCommand<AdminFlags>({
      name: 'create',
      description: 'make an administrator or a manager',
      options: [
        { flags: '--email <email>', help: 'e-mail address', isRequired: true },
        { flags: '--login <login>', help: 'login', isRequired: true },
        { flags: '--name <name>', help: 'the name to show; the login when not given' },
        {
          flags: '--role <role>',
          help: 'managers may do all but webhooks and other admins',
          choices: ['administrator', 'manager'],
          default: 'administrator',
        },
        {
          flags: '--password-file <file>',
          help: 'a file with the password; otherwise one is made up and shown',
        },
      ],
      notes: 'Example:\n  ./tributary admin create --login ann --email ann@example.com',
      run: async (context, flags) =>
        (await import('./admin-command.ts')).createAdmin(context, flags),
    }),
  ],
};
