import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Site } from '../../../kernel/declare/site.ts';
import type { SourceFile, SourceRow } from '../from/read-file.ts';
import type { ReportedLine } from '../from/reported-line.ts';
import type { ImportResult } from '../from/run-import.ts';
import { beginImport, claimPiece } from '../import-progress.ts';
import { addLinks, countOnImport, saveImportState, type NewImportLink } from '../import-rows.ts';
import { rehearsalOf } from '../rehearsal.ts';
import { importKinds, type Created, type ImportKind } from './import-kinds.ts';

export const csvKinds = ['orders', 'affiliates', 'coupons'] as const;
export type CsvKind = (typeof csvKinds)[number];

/** Lines that are read before other requests have their turn: some milliseconds. */
const LINES_AT_ONCE = 200;

interface CsvOptions {
  readonly dryRun: boolean;
  readonly runBy: string;
  /** Links of coupons without an owner name this user. */
  readonly userId: number;
  /** No batch begins after this time; the same files go on with the rest. */
  readonly untilMs: number;
}

/**
 * Imports records of one kind. A batch is counted after it: one that was interrupted in between is applied again, which
 * finds its records as known.
 */
export async function runCsv(
  site: Site,
  name: CsvKind,
  sources: readonly SourceFile[],
  options: CsvOptions,
): Promise<ImportResult> {
  const kind = importKinds[name];
  const { dryRun, untilMs } = options;
  const lines: ReportedLine[] = [];
  const values: ReturnType<typeof valueOf>[] = [];
  for (const source of sources) {
    for (const row of source.rows) {
      values.push(valueOf(kind, source, row, lines));
      // Other requests run between, also while thousands of lines are read.
      if (values.length % LINES_AT_ONCE === 0) await nextTurn();
    }
  }
  const row = dryRun
    ? undefined
    : await beginImport(site, { system: name, files: sources, runBy: options.runBy });
  let created: Created[] = [];
  const take = kind.open(dryRun ? rehearsalOf(site) : site, {
    dryRun,
    onCreated: (one) => created.push(one),
  });
  const batches = Math.ceil(values.length / kind.batch);
  const resumedAfter = row?.pieces ?? 0;
  let done = resumedAfter;
  for (const line of lines.slice(0, done * kind.batch)) line.outcome ??= 'known';
  for (; done < batches && Date.now() <= untilMs; done += 1) {
    const batch = values.slice(done * kind.batch, (done + 1) * kind.batch);
    const usable = batch.filter(({ line }) => line.outcome !== 'refused');
    const outcomes = await take(usable.map(({ value }) => value));
    for (const [i, outcome] of outcomes.entries()) {
      const { line } = usable[i]!;
      line.outcome = typeof outcome === 'string' ? outcome : 'refused';
      if (typeof outcome !== 'string') line.messages.push(outcome.refused);
    }
    if (row) {
      const records = name === 'orders' ? outcomes.filter((one) => one === 'new').length : 0;
      const links = created.flatMap((one) => linksOf(name, row.id, one, options.userId));
      await site.database.transaction(async (tx) => {
        await claimPiece(tx, row.id, done);
        await addLinks(tx, row.id, links);
        await countOnImport(tx, row.id, { records });
      });
    }
    created = [];
  }
  if (row && done === batches) {
    await kind.finish?.(site);
    await site.database.transaction((tx) => saveImportState(tx, row.id, 'done', site.clock()));
  }
  return {
    id: row?.id ?? null,
    resumedAfter,
    share: batches === 0 ? 1 : done / batches,
    lines,
    opening: 0,
    pending: 0,
    rules: [],
  };
}

function valueOf(
  kind: ImportKind,
  source: SourceFile,
  { line: number, row, error }: SourceRow,
  lines: ReportedLine[],
) {
  const line: ReportedLine = {
    file: source.name,
    line: number,
    kind: 'line',
    outcome: undefined,
    messages: [],
  };
  lines.push(line);
  try {
    if (!row) throw new Error(error);
    const cells = kind.columns.flatMap((column) => {
      const text = row.text(column);
      return text === undefined ? [] : [[column, text] as const];
    });
    return { line, value: kind.toValue(Object.fromEntries(cells)) };
  } catch (caught) {
    line.outcome = 'refused';
    line.messages.push((caught as Error).message);
    return { line, value: undefined };
  }
}

/** By which an undo finds what was created. */
function linksOf(
  system: CsvKind,
  import_id: number,
  { userId, isNewUser, couponIds, orderId }: Created,
  owner: number,
): NewImportLink[] {
  const link = {
    import_id,
    system,
    external_id: '',
    user_id: userId ?? owner,
    created: 1,
    amount: 0,
    entry_id: null,
    undone_entry_id: null,
  };
  return [
    ...(isNewUser ? [{ ...link, kind: 'affiliate' as const, coupon_id: null }] : []),
    ...couponIds.map((coupon_id) => ({ ...link, kind: 'code' as const, coupon_id })),
    ...(orderId === undefined
      ? []
      : [{ ...link, kind: 'order' as const, coupon_id: null, external_id: String(orderId) }]),
  ];
}
