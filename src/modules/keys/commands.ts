import { defineCommand, type CommandGroup } from '../../kernel/declare/command.ts';
import type { CreateFlags, ListFlags } from './key-command.ts';

const load = () => import('./key-command.ts');

export const keyCommands: CommandGroup = {
  name: 'keys',
  description: 'API keys',
  commands: [
    defineCommand<CreateFlags>({
      name: 'create',
      description: 'create an API key and show it once',
      options: [
        { flags: '--user <login>', help: 'login or email address of its owner', isRequired: true },
        {
          flags: '--scopes <list>',
          help: 'read, write, manage, separated by commas',
          default: 'read',
        },
        { flags: '--expires <day>', help: 'the last day it is valid, YYYY-MM-DD' },
        { flags: '--description <text>', help: 'a label' },
      ],
      notes:
        'Example:\n  ./tributary keys create --user admin --scopes read,write,manage --expires 2027-12-31',
      run: async (context, flags) => (await load()).create(context, flags),
    }),
    defineCommand<ListFlags>({
      name: 'list',
      description: 'list the API keys, newest first',
      options: [
        { flags: '--user <login>', help: 'only the keys of this user' },
        { flags: '--status <status>', help: 'active, revoked or expired' },
        { flags: '--page <number>', help: 'page of 100 keys', default: '1' },
      ],
      notes: 'Example:\n  ./tributary keys list --status active',
      run: async (context, flags) => (await load()).list(context, flags),
    }),
    defineCommand<object, [id: string]>({
      name: 'revoke',
      description: 'revoke a key immediately and permanently',
      arguments: [{ name: '<id>', help: 'the number of the key' }],
      notes: 'Example:\n  ./tributary keys revoke 3',
      run: async (context, _flags, id) => (await load()).revoke(context, id),
    }),
  ],
};
