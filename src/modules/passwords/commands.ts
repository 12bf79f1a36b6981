import { defineCommand, type CommandGroup } from '../../kernel/declare/command.ts';
import type { UserFlags } from './password-command.ts';

const load = () => import('./password-command.ts');

export const passwordCommands: CommandGroup = {
  name: 'passwords',
  description: 'application passwords, for HTTP Basic',
  commands: [
    defineCommand<UserFlags>({
      name: 'create',
      description: 'create an application password and show it once',
      options: [
        { flags: '--user <login>', help: 'login or email address of its owner', isRequired: true },
        { flags: '--description <text>', help: 'a label' },
      ],
      notes: 'Example:\n  ./tributary passwords create --user admin',
      run: async (context, flags) => (await load()).create(context, flags),
    }),
    defineCommand<UserFlags>({
      name: 'list',
      description: "list a user's application passwords",
      options: [
        {
          flags: '--user <login>',
          help: 'login or email address of their owner',
          isRequired: true,
        },
      ],
      notes: 'Example:\n  ./tributary passwords list --user admin',
      run: async (context, flags) => (await load()).list(context, flags),
    }),
    defineCommand<object, [id: string]>({
      name: 'revoke',
      description: 'revoke an application password',
      arguments: [{ name: '<id>', help: 'its number' }],
      notes: 'Example:\n  ./tributary passwords revoke 1',
      run: async (context, _flags, id) => (await load()).revoke(context, id),
    }),
  ],
};
