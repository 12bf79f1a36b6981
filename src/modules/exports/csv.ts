import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { HttpResponse } from '../../kernel/declare/http-response.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';
/** Short ones: a long page outlives the collection of young objects, and its garbage piles up (measured). */
const PAGE_ROWS = 200;

/** One page of a table in the order of its key: those after a key, at most so many. */
export type ReadPage<R> = (page: { after: number; limit: number }) => Promise<R[]>;

/**
 * A table as CSV, read page by page while it is sent: however long it is, one page of it is in
 * memory. Each page starts after the last key of the one before, so the last costs what the first
 * does.
 */
export async function* csvPages<R>(
  columns: readonly string[],
  readPage: ReadPage<R>,
  keyOf: (row: R) => number,
  toRecords: (rows: R[]) => Promise<unknown[][]>,
): AsyncGenerator<string> {
  yield toCsv([[...columns]]);
  let after = -1;
  for (;;) {
    const rows = await readPage({ after, limit: PAGE_ROWS });
    if (rows.length > 0) yield toCsv(await toRecords(rows));
    if (rows.length < PAGE_ROWS) return;
    after = keyOf(rows.at(-1)!);
    // Other requests come in between.
    await setImmediate();
  }
}

function toCsv(records: unknown[][]): string {
  return stringify(
    records.map((record) => record.map(withoutFormulas)),
    { record_delimiter: '\r\n' },
  );
}

/** What a formula begins with, in full width too. */
const FORMULA_START = /(?<=(?:^|[;|\t\r\n])[\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe before it. Not only at the
 * beginning of a cell: a spreadsheet that separates cells by `;` or tab, as in most of Europe, does
 * not see our quotes, and begins a new cell inside ours. Numbers stay numbers.
 */
function withoutFormulas(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  const text = cell.replaceAll(FORMULA_START, "'");
  return /^[\t\r]/.test(text) ? `'${text}` : text;
}

export function csvAnswer(name: string, body: AsyncIterable<string>): HttpResponse<string> {
  return HttpResponse.encoded(body, {
    headers: {
      'Content-Type': CSV_TYPE,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  });
}
