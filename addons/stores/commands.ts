import { defineCommand, type CommandGroup } from '../../src/kernel/declare/command.ts';
import type { AddFlags, SinceFlags } from './connections/store-command.ts';

const load = () => import('./connections/store-command.ts');

const id = { name: '<id>', help: 'the number of the connection' };

export const storeCommands: CommandGroup = {
  name: 'stores',
  description: 'connected stores',
  commands: [
    defineCommand<AddFlags>({
      name: 'add',
      description: 'connect a store and show the secret of its deliveries once',
      options: [
        {
          flags: '--kind <kind>',
          help: 'the kind of store: woocommerce, shopify, stripe, http or one of an extension',
          isRequired: true,
        },
        { flags: '--name <text>', help: 'a label; default: the host of the store' },
        { flags: '--url <url>', help: 'the address of the store' },
        {
          flags: '--credentials <file>',
          help: 'a JSON file with the keys of its API; - reads the standard input',
        },
        {
          flags: '--replace',
          help: 'take over the connection that the same store has already, with its orders',
        },
        { flags: '--another', help: 'it is another store at the address of one that is connected' },
      ],
      notes:
        'Example:\n  ./tributary stores add --kind woocommerce --url https://shop.example --credentials keys.json',
      run: async (context, flags) => (await load()).add(context, flags),
    }),
    defineCommand({
      name: 'list',
      description: 'list the connected stores with their state',
      notes: 'Example:\n  ./tributary stores list',
      run: async (context) => (await load()).list(context),
    }),
    defineCommand<object, [id: string]>({
      name: 'check',
      description: 'call a store: does it answer, and are its webhooks active?',
      arguments: [id],
      notes: 'Example:\n  ./tributary stores check 3',
      run: async (context, _flags, connection) => (await load()).check(context, connection),
    }),
    defineCommand<SinceFlags, [id: string]>({
      name: 'reconcile',
      description: 'read what has changed in a store, and store what was missed',
      arguments: [id],
      options: [
        { flags: '--since <time>', help: 'read changes since then; default: the last time' },
      ],
      notes: 'Example:\n  ./tributary stores reconcile 3 --since 2026-01-01',
      run: async (context, flags, connection) =>
        (await load()).reconcile(context, connection, flags),
    }),
    defineCommand<SinceFlags, [id: string]>({
      name: 'import',
      description: 'read the history of a store; an interrupted import goes on',
      arguments: [id],
      options: [
        { flags: '--since <time>', help: 'read orders that changed since then; default: all' },
      ],
      notes: 'Example:\n  ./tributary stores import 3',
      run: async (context, flags, connection) =>
        (await load()).importHistory(context, connection, flags),
    }),
  ],
};
