import type { Command } from 'commander';
import type { Flags } from '../with-site.ts';

export function addSettings(program: Command): Command[] {
  const settings = program.command('settings').description('what a site can change while it runs');
  return [
    settings
      .command('get')
      .description('show all settings, or one')
      .argument('[key]', 'one setting')
      .addHelpText('after', '\nExample:\n  ./tributary settings get api.rate_per_minute')
      .action(async (key: string | undefined, flags: Flags) =>
        (await import('../settings.ts')).get(key, flags),
      ),
    settings
      .command('set')
      .description('change a setting; a running server takes it over within a second')
      .argument('<key>', 'the setting')
      .argument(
        '<value>',
        'its new value; a list with commas between, or as JSON; an object as JSON',
      )
      .addHelpText(
        'after',
        '\nExamples:\n  ./tributary settings set api.rate_per_minute 600' +
          '\n  ./tributary settings set api.disabled_endpoints get_keys,post_keys' +
          '\n  ./tributary settings set api.disabled_endpoints "[]"' +
          `\n  ./tributary settings set commission.product_percents '{"101": 20}'`,
      )
      .action(async (key: string, value: string, flags: Flags) =>
        (await import('../settings.ts')).set(key, value, flags),
      ),
    settings
      .command('unset')
      .description('give a setting its default again')
      .argument('<key>', 'the setting')
      .addHelpText('after', '\nExample:\n  ./tributary settings unset api.rate_per_minute')
      .action(async (key: string, flags: Flags) =>
        (await import('../settings.ts')).unset(key, flags),
      ),
  ];
}
