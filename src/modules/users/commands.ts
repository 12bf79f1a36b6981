import { defineCommand, type CommandGroup } from '../../kernel/declare/command.ts';
import type { AdminFlags } from './admin-command.ts';

export const adminCommands: CommandGroup = {
  name: 'admin',
  description: 'administrators and managers',
  commands: [
    defineCommand<AdminFlags>({
      name: 'create',
      description: 'create an administrator or a manager',
      options: [
        { flags: '--email <email>', help: 'e-mail address', isRequired: true },
        { flags: '--login <login>', help: 'login', isRequired: true },
        { flags: '--name <name>', help: 'display name; default: the login' },
        {
          flags: '--role <role>',
          help: 'managers cannot manage webhooks or other admins',
          choices: ['administrator', 'manager'],
          default: 'administrator',
        },
        {
          flags: '--password-file <file>',
          help: 'a file with the password; otherwise one is generated and shown',
        },
      ],
      notes: 'Example:\n  ./tributary admin create --login ann --email ann@example.com',
      run: async (context, flags) =>
        (await import('./admin-command.ts')).createAdmin(context, flags),
    }),
  ],
};
