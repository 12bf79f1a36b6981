import { defineCommand, type CommandGroup } from '../../kernel/declare/command.ts';
import type { AdminFlags } from './create-admin-command.ts';
import type { ResetFlags } from './reset-password-command.ts';

const load = () => import('./admin-command.ts');
const user = { name: '<user>', help: 'login or email address' };

export const adminCommands: CommandGroup = {
  name: 'admin',
  description: 'administrators and managers',
  commands: [
    defineCommand<AdminFlags>({
      name: 'create',
      description: 'create an administrator or a manager',
      options: [
        { flags: '--email <email>', help: 'email address', isRequired: true },
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
        (await import('./create-admin-command.ts')).createAdmin(context, flags),
    }),
    defineCommand({
      name: 'list',
      description: 'list administrators and managers',
      notes: 'Example:\n  ./tributary admin list',
      run: async (context) => (await load()).list(context),
    }),
    defineCommand<object, [user: string, role: string]>({
      name: 'role',
      description: 'make a manager an administrator, or the other way round; sessions end',
      arguments: [user, { name: '<role>', help: 'administrator or manager' }],
      notes: 'Example:\n  ./tributary admin role ann manager',
      run: async (context, _flags, name, role) => (await load()).change(context, name, { role }),
    }),
    defineCommand<object, [user: string]>({
      name: 'disable',
      description: 'refuse every credential of an administrator or manager; sessions end',
      arguments: [user],
      notes: 'Example:\n  ./tributary admin disable ann',
      run: async (context, _flags, name) =>
        (await load()).change(context, name, { disabled: true }),
    }),
    defineCommand<object, [user: string]>({
      name: 'enable',
      description: 'accept the credentials of a disabled administrator or manager again',
      arguments: [user],
      notes: 'Example:\n  ./tributary admin enable ann',
      run: async (context, _flags, name) =>
        (await load()).change(context, name, { disabled: false }),
    }),
    defineCommand<ResetFlags, [user: string]>({
      name: 'reset-password',
      description: 'print a link to choose a new password, for any user',
      arguments: [user],
      options: [
        {
          flags: '--password-file <file>',
          help: 'set the password of this file instead; sessions end',
        },
        {
          flags: '--two-factor',
          help: 'also remove authenticator app, passkeys and recovery codes; the user is notified by email',
        },
      ],
      notes:
        'The link works once, for one hour.\n\nExample:\n  ./tributary admin reset-password ann --two-factor',
      run: async (context, flags, name) =>
        (await import('./reset-password-command.ts')).resetPassword(context, flags, name),
    }),
  ],
};
