import type { Command } from 'commander';
import type { ImportFlags } from '../../tools/import/import.ts';

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
    .command('import')
    .description('import records from a file')
    // The columns come from the contracts of the API, which only these commands need to load.
    .hook('preSubcommand', async () => {
      columnsOf = (await import('../../tools/import/import-kinds.ts')).importKinds;
    });
  return (Object.keys(kinds) as KindName[]).map((name) =>
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
        (await import('../../tools/import/import.ts')).importFile(name, file, flags),
      ),
  );
}
