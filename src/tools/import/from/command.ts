import { userInfo } from 'node:os';
import { print } from '../../../cli/output.ts';
import { Progress } from '../../../cli/progress.ts';
import { withSite, type Flags } from '../../../cli/with-site.ts';
import { CommandError } from '../../../kernel/declare/command.ts';
import {
  describeImport,
  describeUndo,
  listImports,
  readSource,
  reportOf,
  runImport,
  systems,
  undoImport,
} from '../../../modules/imports/index.ts';
import { countOf } from '../../../shared/count-of.ts';
import { textTable } from '../../../shared/text-table.ts';

export interface MoveFlags extends Flags {
  from?: string;
  fileCurrency?: string;
  dryRun?: boolean;
  invite?: boolean;
  undo?: string;
  list?: boolean;
}

/** `import --from`, `import --undo` and `import --list`. */
export async function moveFrom(files: readonly string[], flags: MoveFlags): Promise<void> {
  if (flags.list) return showImports(flags);
  if (flags.undo !== undefined) return undo(flags.undo, flags);
  const system = systems.find(({ name }) => name === flags.from)!;
  if (files.length === 0) {
    throw new CommandError('usage', `Name the files that ${system.title} has exported.`);
  }
  const dryRun = flags.dryRun ?? false;
  await withSite(flags, async (site) => {
    requireSameCurrency(flags.fileCurrency, site.currency.code);
    const sources = files.map(readSource);
    const progress = new Progress(!flags.json);
    const read = sources.reduce((sum, { rows }) => sum + rows.length, 0);
    try {
      const result = await runImport(site, system, sources, {
        dryRun,
        invite: flags.invite ?? false,
        runBy: systemUser(),
        onProgress: (share) => progress.show(share, countOf(read, 'line')),
      });
      progress.end();
      if (!dryRun) await site.database.updateStatistics();
      const report = reportOf({ site, system, dryRun }, result);
      print(flags.json, report, () => describeImport(report, system));
      const refused = result.lines.filter(({ outcome }) => outcome === 'refused').length;
      if (refused > 0) throw new CommandError('refused', `${countOf(refused, 'line')} refused.`);
    } finally {
      progress.end();
    }
  });
}

/** Empty where the operating system has no name for the user. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** Most files do not name their currency; `--file-currency` says it for them. */
function requireSameCurrency(given: string | undefined, currency: string): void {
  if (given === undefined || given.toUpperCase() === currency) return;
  throw new CommandError(
    'refused',
    `The files are in ${given.toUpperCase()}, the store's currency is ${currency}. Amounts are not converted.`,
  );
}

async function undo(text: string, flags: MoveFlags): Promise<void> {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) {
    throw new CommandError('usage', `"${text}" is no number of an import: see import --list.`);
  }
  await withSite(flags, async (site) => {
    const progress = new Progress(!flags.json);
    try {
      const result = await undoImport(site, id, (share) => progress.show(share, `import ${id}`));
      progress.end();
      const { balance, ...rest } = result;
      print(flags.json, { ...rest, balance: site.currency.toMajor(balance) }, () =>
        describeUndo(result, site),
      );
    } finally {
      progress.end();
    }
  });
}

async function showImports(flags: MoveFlags): Promise<void> {
  await withSite(flags, async ({ database, calendar }) => {
    const imports = (await listImports(database.read)).map((row) => ({
      id: row.id,
      system: row.system,
      state: row.state,
      // Only `createImport` writes the column, with the names of the files.
      files: JSON.parse(row.files) as string[],
      date: calendar.toLocal(row.created_at),
    }));
    print(flags.json, imports, () =>
      imports.length === 0
        ? 'Nothing was imported from another system.'
        : textTable(
            ['id', 'system', 'state', 'date', 'files'],
            imports.map(({ id, system, state, date, files }) => [
              String(id),
              system,
              state,
              date,
              files.join(', '),
            ]),
          ),
    );
  });
}
