import { parse, CsvError } from 'csv-parse/sync';
import { readBankResults } from './read-bank-results.ts';
import {
  foldName,
  resultColumns,
  type ResultFormat,
  type ResultLine,
  type TableFormat,
} from './result-formats.ts';

/** The most payments of a file with results. */
const LINES_MAX = 500;

/** The lines, or why the file cannot be read. */
export function readResults(format: ResultFormat, content: string): ResultLine[] | string {
  const lines = format === 'sepa' ? readBankResults(content) : readTable(format, content);
  if (typeof lines === 'string') return lines;
  if (lines.length === 0) return 'has no lines with payments';
  return lines.length > LINES_MAX ? `has more than ${LINES_MAX} lines with payments` : lines;
}

function readTable(format: TableFormat, content: string): ResultLine[] | string {
  const records = parseRecords(content);
  if (typeof records === 'string') return records;
  const [header, ...rows] = records;
  if (!header) return 'has no lines with payments';
  const { columns, required, paid, payoutOf } = resultColumns[format];
  const names = header.map(foldName);
  const indexOf = (field: keyof typeof columns) =>
    columns[field].map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1;
  const missing = required.filter((field) => indexOf(field) < 0);
  if (missing.length > 0) return `has no column for: ${missing.join(', ')}`;
  const cell = (row: readonly string[], field: keyof typeof columns) => row[indexOf(field)] ?? '';
  return rows.map((row, index) => {
    // Exports put an apostrophe before text that looks like a formula.
    const reference = cell(row, 'reference').replace(/^'/, '');
    const outcome = cell(row, 'outcome');
    return {
      line: index + 1,
      reference,
      payoutId: payoutOf(reference),
      amount: cell(row, 'amount'),
      currency: cell(row, 'currency').toUpperCase(),
      outcome,
      isPaid: paid.has(foldName(outcome)),
      transactionId: cell(row, 'transaction'),
    };
  });
}

function parseRecords(content: string): string[][] | string {
  try {
    return parse(content, {
      bom: true,
      delimiter: delimiterOf(content),
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: 10_000,
      to: LINES_MAX + 2,
    });
  } catch (error) {
    if (error instanceof CsvError) return 'is not a CSV file';
    throw error;
  }
}

/** Spreadsheets of most European countries write semicolons. */
function delimiterOf(content: string): string {
  const [first = ''] = content.split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((sign) => ({ sign, times: first.split(sign).length }));
  return counts.toSorted((a, b) => b.times - a.times)[0]!.sign;
}
