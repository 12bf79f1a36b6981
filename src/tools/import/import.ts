import { accessSync, constants, statSync } from 'node:fs';
import { extname } from 'node:path';
import { print } from '../../cli/output.ts';
import { Progress } from '../../cli/progress.ts';
import { withSite, type Flags } from '../../cli/with-site.ts';
import { CommandError } from '../../kernel/declare/command.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { importKinds, rehearsalOf, type ImportKind } from '../../modules/imports/index.ts';
import { countOf } from '../../shared/count-of.ts';
import { fileKinds, LineFile, type FileKind, type Line } from './import-lines.ts';

const REASONS_MAX = 20;

export interface ImportFlags extends Flags {
  dryRun?: boolean;
}

interface Report {
  file: string;
  dry_run: boolean;
  read: number;
  new: number;
  known: number;
  refused: number;
  /** The first refusals. */
  errors: { line: number; message: string }[];
  ignored_columns: string[];
}

export async function importFile(
  name: keyof typeof importKinds,
  file: string,
  flags: ImportFlags,
): Promise<void> {
  const kind = importKinds[name];
  const { bytes, fileKind } = look(file);
  await withSite(flags, async (site) => {
    const lines = new LineFile(file, fileKind, kind);
    const progress = new Progress(!flags.json);
    const report = newReport(file, flags.dryRun ?? false);
    try {
      await takeAll(kind, site, lines, report, () =>
        progress.show(lines.bytesRead / bytes, countOf(report.read, 'line')),
      );
    } finally {
      progress.end();
    }
    if (!flags.dryRun) await site.database.updateStatistics();
    report.ignored_columns = lines.ignoredColumns;
    print(flags.json, report, () => describe(report));
    if (report.refused > 0) {
      throw new CommandError('refused', `${countOf(report.refused, 'line')} refused.`);
    }
  });
}

function look(file: string): { bytes: number; fileKind: FileKind } {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts?.isFile()) throw new CommandError('notFound', `There is no file ${file}.`);
  requireReadable(file);
  const fileKind = extname(file).slice(1).toLowerCase() as FileKind;
  if (!fileKinds.includes(fileKind)) {
    throw new CommandError('usage', `${file} must end in .csv or .ndjson: it says what is inside.`);
  }
  return { bytes: facts.size, fileKind };
}

function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new CommandError('failed', `${file} cannot be read: this user may not.`);
  }
}

async function takeAll(
  kind: ImportKind,
  site: Site,
  file: LineFile,
  report: Report,
  tell: () => void,
): Promise<void> {
  const dryRun = report.dry_run;
  const take = kind.open(dryRun ? rehearsalOf(site) : site, { dryRun });
  let batch: { line: number; value: unknown }[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const outcomes = await take(batch.map(({ value }) => value));
    for (const [i, outcome] of outcomes.entries()) {
      if (typeof outcome === 'string') report[outcome] += 1;
      else refuse(report, batch[i]!.line, outcome.refused);
    }
    batch = [];
    tell();
  };
  for await (const line of file.lines()) {
    report.read += 1;
    if (isInvalid(line)) refuse(report, line.line, line.error);
    else batch.push(line);
    if (batch.length >= kind.batch) await flush();
  }
  await flush();
  if (!dryRun) await kind.finish?.(site);
  report.errors.sort((a, b) => a.line - b.line);
}

function isInvalid(line: Line): line is Extract<Line, { error: string }> {
  return 'error' in line;
}

function refuse(report: Report, line: number, message: string): void {
  report.refused += 1;
  if (report.errors.length < REASONS_MAX) report.errors.push({ line, message });
}

function newReport(file: string, dryRun: boolean): Report {
  return {
    file,
    dry_run: dryRun,
    read: 0,
    new: 0,
    known: 0,
    refused: 0,
    errors: [],
    ignored_columns: [],
  };
}

function describe(report: Report): string {
  const more = report.refused - report.errors.length;
  return [
    `${countOf(report.read, 'line')} read: ${report.new} new, ${report.known} known already, ` +
      `${report.refused} refused.`,
    ...report.errors.map(({ line, message }) => `  line ${line}: ${message}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...(report.ignored_columns.length > 0
      ? [`Columns that are not used: ${report.ignored_columns.join(', ')}`]
      : []),
    ...(report.dry_run ? ['This was a dry run: nothing was kept.'] : []),
  ].join('\n');
}
