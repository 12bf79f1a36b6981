import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { fileHeaders } from '../../shared/file-name.ts';
import { withoutFormulas } from '../../shared/without-formulas.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8';
/** The rows of larger pages survive the collection of young objects, so memory grows (measured). */
const PAGE_ROWS = 200;

export interface CsvExport<R> {
  readonly file: string;
  readonly columns: readonly string[];
  /** Reads at most `limit` rows after a key, in the order of that key. */
  readPage(page: { after: number; limit: number }): Promise<R[]>;
  keyOf(row: R): number;
  /** One record per row, in the order of `columns`. */
  toRecords(rows: R[]): Promise<unknown[][]>;
}

/**
 * A table as CSV, read page by page while it is sent, so that only one page is in memory, however
 * long the table is. Each page begins after the last key of the page before, so the last page costs as much as the
 * first.
 */
export function csvResponse<R>(table: CsvExport<R>): HttpResponse<string> {
  return HttpResponse.encoded(pagesOf(table), {
    headers: fileHeaders(table.file, CSV_TYPE),
  });
}

async function* pagesOf<R>(table: CsvExport<R>): AsyncGenerator<string> {
  yield toCsv([[...table.columns]]);
  let after = -1;
  for (;;) {
    const rows = await table.readPage({ after, limit: PAGE_ROWS });
    if (rows.length > 0) yield toCsv(await table.toRecords(rows));
    if (rows.length < PAGE_ROWS) return;
    after = table.keyOf(rows.at(-1)!);
    // Other requests run between two pages.
    await setImmediate();
  }
}

/** Records with the values of these columns, in their order. */
export function inColumns<C extends string>(
  columns: readonly C[],
  records: readonly Readonly<Record<C, unknown>>[],
): unknown[][] {
  return records.map((record) => columns.map((name) => record[name]));
}

/** A table as CSV, safe for spreadsheets. Numbers stay numbers. */
export function toCsv(records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) =>
      record.map((cell) => (typeof cell === 'string' ? withoutFormulas(cell) : cell)),
    ),
    { record_delimiter: '\r\n' },
  );
}
