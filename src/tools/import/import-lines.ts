import { createReadStream, type ReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse, type CsvError } from 'csv-parse';
import type { CsvShape } from '../../modules/imports/index.ts';

/** Longer than any order; detects a quote that is never closed. */
const RECORD_BYTES_MAX = 1024 * 1024;

/** A line of a file: its value, or the reason it cannot be read. */
export type Line =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly error: string };

export const fileKinds = ['csv', 'ndjson'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Reads a large file line by line; only a few lines are in memory at a time. */
export class LineFile {
  /** Columns that are not used; known after the first line. */
  ignoredColumns: string[] = [];
  readonly #stream: ReadStream;
  readonly #kind: FileKind;
  readonly #shape: CsvShape;

  constructor(file: string, kind: FileKind, shape: CsvShape) {
    this.#stream = createReadStream(file);
    this.#kind = kind;
    this.#shape = shape;
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  lines(): AsyncGenerator<Line> {
    return this.#kind === 'csv' ? this.#csvLines() : this.#jsonLines();
  }

  async *#jsonLines(): AsyncGenerator<Line> {
    let line = 0;
    for await (const text of createInterface({ input: this.#stream, crlfDelay: Infinity })) {
      line += 1;
      const json = line === 1 ? text.replace(/^\ufeff/, '') : text;
      if (json.trim() !== '') yield readLine(line, () => parseJson(json));
    }
  }

  async *#csvLines(): AsyncGenerator<Line> {
    const errors: { line: number; error: string }[] = [];
    let lastLine = 1;
    let broken = false;
    const parser = parse({
      bom: true,
      columns: (head: string[]) => this.#readHead(head),
      info: true,
      max_record_size: RECORD_BYTES_MAX,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      trim: true,
      on_record: (record, { lines }) => {
        lastLine = lines;
        return broken ? null : record;
      },
      on_skip: (error) => {
        if (broken) return;
        const { lines, record } = error as CsvError & { lines: number; record?: string[] };
        const first = record ? lines - lineBreaksIn(record) : Math.min(lastLine + 1, lines);
        lastLine = lines;
        errors.push({ line: first, error: csvError(error!, first, lines) });
        // From here on, quoted and unquoted text cannot be distinguished.
        broken = error!.code === 'CSV_MAX_RECORD_SIZE';
        if (!broken) return;
        this.#stream.unpipe(parser);
        this.#stream.destroy();
        parser.end();
      },
    });
    this.#stream.on('error', (error) => parser.destroy(error));
    for await (const row of this.#stream.pipe(parser)) {
      yield* errors.splice(0);
      const { record, info } = row as { record: Record<string, string>; info: { lines: number } };
      const line = info.lines - lineBreaksIn(Object.values(record));
      yield readLine(line, () => this.#shape.toValue(this.#givenCells(record)));
    }
    yield* errors;
  }

  #readHead(head: string[]): string[] {
    const names = head.map((name) => name.trim().toLowerCase());
    this.ignoredColumns = names.filter((name) => !this.#shape.columns.includes(name));
    return names;
  }

  /** The non-empty cells of the columns that are used. */
  #givenCells(record: Record<string, string>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(record).filter(
        ([name, cell]) => cell.trim() !== '' && !this.ignoredColumns.includes(name),
      ),
    );
  }
}

function readLine(line: number, read: () => unknown): Line {
  try {
    return { line, value: read() };
  } catch (error) {
    return { line, error: (error as Error).message };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('is not JSON');
  }
}

function lineBreaksIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) {
    if (cell.includes('\n')) count += cell.split('\n').length - 1;
  }
  return count;
}

/** An unclosed quote swallows the following lines, so the message names them too. */
function csvError({ code, message }: CsvError, first: number, last: number): string {
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return 'a quote is not closed; nothing from this line on could be read';
  }
  const reason =
    code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
      ? 'has another number of cells than the first line'
      : code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'a quote is not closed'
        : message;
  return last > first ? `${reason} (up to line ${last})` : reason;
}
