import { Option, type Command } from 'commander';
import { affiliateSystems } from '../shared/affiliate-systems.ts';
import { didYouMean } from '../shared/nearest.ts';
import type { MoveFlags } from '../tools/import/from/command.ts';
import type { ImportFlags } from '../tools/import/import.ts';

const kinds = {
  orders: {
    help: 'orders; existing orders are updated',
    example: './tributary import orders orders-2026.csv --dry-run',
  },
  affiliates: {
    help: 'affiliates; existing affiliates are not changed',
    example: './tributary import affiliates people.csv',
  },
  coupons: {
    help: 'coupons; existing coupons are not changed',
    example: './tributary import coupons codes.ndjson',
  },
};

type KindName = keyof typeof kinds;

export function addImport(program: Command): Command[] {
  let columnsOf: Record<KindName, { columns: readonly string[] }>;
  const group = program
    // Options after the name of a subcommand are the subcommand's.
    .enablePositionalOptions()
    .command('import')
    .description('import records from a file, or a program from another system')
    .enablePositionalOptions()
    .argument('[files...]', 'the files that the other system has exported, .csv or .json')
    .addOption(new Option('--from <system>', 'the system to move from').choices(affiliateSystems))
    .option('--dry-run', 'report what would become of each line, and store nothing')
    .option('--file-currency <code>', 'the currency of files that do not name it')
    .option('--invite', 'email an invitation to each affiliate that is created')
    .option('--undo <id>', 'take an import from another system back')
    .option('--list', 'list the imports from other systems')
    .addHelpText(
      'after',
      '\nExamples:\n  ./tributary import --from affiliatewp affiliates.csv referrals.csv payouts.csv --dry-run' +
        '\n  ./tributary import --undo 3',
    )
    .action(async (files: string[], flags: MoveFlags, command: Command) => {
      const [first] = files;
      if (!flags.from && flags.undo === undefined && !flags.list) {
        if (first === undefined) return command.help({ error: true });
        const hint = didYouMean(first, Object.keys(kinds));
        command.error(`error: unknown command '${first}'${hint && `\n(${hint.trim()})`}`);
      }
      await (await import('../tools/import/from/command.ts')).moveFrom(files, flags);
    })
    // The columns come from the contracts of the API, which only these commands need to load.
    .hook('preSubcommand', async () => {
      columnsOf = (await import('../modules/imports/index.ts')).importKinds;
    });
  const kindCommands = (Object.keys(kinds) as KindName[]).map((name) =>
    group
      .command(name)
      .description(kinds[name].help)
      .argument(
        '<file>',
        'a .csv file with a first line of names, or .ndjson with an object a line',
      )
      .option('--dry-run', 'validate the file without storing anything')
      .addHelpText(
        'after',
        () =>
          `\nColumns: ${columnsOf[name].columns.join(', ')}\n\nExample:\n  ${kinds[name].example}`,
      )
      .action(async (file: string, flags: ImportFlags) =>
        (await import('../tools/import/import.ts')).importFile(name, file, flags),
      ),
  );
  return [group, ...kindCommands];
}
