import { defineCommand, type CommandGroup } from '../../kernel/declare/command.ts';

const load = () => import('./setting-command.ts');

export const settingCommands: CommandGroup = {
  name: 'settings',
  description: 'settings that can be changed without a restart',
  commands: [
    defineCommand<object, [key: string | undefined]>({
      name: 'get',
      description: 'show all settings, or one',
      arguments: [{ name: '[key]', help: 'one setting' }],
      notes: 'Example:\n  ./tributary settings get api.rate_per_minute',
      run: async (context, _flags, key) => (await load()).get(context, key),
    }),
    defineCommand<object, [key: string, value: string]>({
      name: 'set',
      description: 'change a setting; a running server applies it within a second',
      arguments: [
        { name: '<key>', help: 'the setting' },
        {
          name: '<value>',
          help: 'the new value; a list separated by commas or as JSON; an object as JSON',
        },
      ],
      notes:
        'Examples:\n  ./tributary settings set api.rate_per_minute 600' +
        '\n  ./tributary settings set api.disabled_endpoints get_keys,post_keys' +
        '\n  ./tributary settings set api.disabled_endpoints "[]"' +
        `\n  ./tributary settings set commission.product_percents '{"101": 20}'`,
      run: async (context, _flags, key, value) => (await load()).set(context, key, value),
    }),
    defineCommand<object, [key: string]>({
      name: 'unset',
      description: 'reset a setting to its default',
      arguments: [{ name: '<key>', help: 'the setting' }],
      notes: 'Example:\n  ./tributary settings unset api.rate_per_minute',
      run: async (context, _flags, key) => (await load()).unset(context, key),
    }),
  ],
};
