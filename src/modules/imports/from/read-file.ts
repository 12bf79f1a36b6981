import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse as parseStream } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { CommandError } from '../../../kernel/declare/command.ts';
import { TooLarge } from '../../../shared/byte-size.ts';
import { costOf } from '../../../shared/json-shape.ts';
import { columnName, flatten, Row, type RowFormat } from './row.ts';

/** The complete file is in memory; exports of affiliate programs have some megabytes. */
const FILE_BYTES_MAX = 256_000_000;

/** Read in a millisecond or two, unless they are many lines. */
const CHARACTERS_AT_ONCE = 32 * 1024;
const ROWS_AT_ONCE = 200;

/** Of a request; the command line reads larger files. */
const LINES_MAX = 50_000;
const COLUMNS_MAX = 200;
const JSON_LIMITS = { depth: 32, values: 200_000 };

export interface SourceRow {
  /** The line of a CSV file, or the position of the record in JSON, from 1. */
  readonly line: number;
  /** Undefined with a reason for a line that has another number of cells than the first. */
  readonly row?: Row;
  readonly error?: string;
}

/** A file that was read, and not interpreted yet. */
export interface SourceFile {
  readonly name: string;
  readonly digest: string;
  /** As they are written in the file. */
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
  /** The names of columns that were looked for and found, while rows are read. */
  readonly used: ReadonlySet<string>;
}

export function readSource(path: string): SourceFile {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts?.isFile()) throw new CommandError('notFound', `There is no file ${path}.`);
  if (facts.size > FILE_BYTES_MAX) {
    throw new CommandError('usage', `${path} ${new TooLarge(FILE_BYTES_MAX).message}: split it.`);
  }
  const bytes = readBytes(path);
  return readText(basename(path), decode(bytes, path), bytes);
}

function readText(name: string, text: string, bytes: Buffer): SourceFile {
  return { name, digest: digestOf(bytes), ...(isJson(text) ? readJson : readCsv)(text, name) };
}

/** A file whose text is known already. Other requests have their turn while a long one is read. */
export async function readTextInTurns(name: string, text: string): Promise<SourceFile> {
  const content = await (isJson(text) ? readJsonInTurns : readCsvInTurns)(text, name);
  return { name, digest: digestOf(text), ...content };
}

const isJson = (text: string) => /^\s*[[{]/.test(text);

const digestOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new CommandError('failed', `${path} cannot be read: this user may not.`);
  }
}

/** UTF-8 or UTF-16, with or without a byte order mark, which the decoder removes. */
function decode(bytes: Buffer, path: string): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : bytes[0] === 0 && bytes.length > 1
          ? 'utf-16be'
          : bytes[1] === 0
            ? 'utf-16le'
            : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError('usage', `${path} is neither UTF-8 nor UTF-16: save it as "CSV UTF-8".`);
  }
}

type Content = Pick<SourceFile, 'columns' | 'rows' | 'used'>;

function readCsv(text: string, path: string): Content {
  const rows = new CsvRows(text);
  try {
    // With `info` each record comes with its position, which the types of the parser do not say.
    const records = parse(rows.body, rows.options) as unknown as CsvRecord[];
    for (const record of records) rows.add(record);
  } catch (error) {
    throw unreadable(path, error);
  }
  return rows.content(path);
}

async function readCsvInTurns(text: string, path: string): Promise<Content> {
  refuseLarge(text, path);
  const rows = new CsvRows(text);
  const parser = Readable.from(piecesOf(rows.body)).pipe(parseStream(rows.options));
  try {
    for await (const record of parser) rows.add(record as CsvRecord);
  } catch (error) {
    throw unreadable(path, error);
  }
  return rows.content(path);
}

/** Every line costs, however short it is. They are counted before any is read. */
function refuseLarge(text: string, path: string): void {
  const [head = ''] = /^[^\r\n]*/.exec(text) ?? [];
  const columns = head.split(/[,;\t]/, COLUMNS_MAX + 1).length;
  if (columns > COLUMNS_MAX) {
    throw new CommandError('usage', `${path} has more than ${COLUMNS_MAX} columns.`);
  }
  if (hasMore(text, '\n', LINES_MAX) || hasMore(text, '\r', LINES_MAX)) {
    const how = `${path} has more than ${LINES_MAX} lines: split it, or use the command line.`;
    throw new CommandError('usage', how);
  }
}

function hasMore(text: string, character: string, most: number): boolean {
  let at = -1;
  for (let left = most; left >= 0; left--) {
    at = text.indexOf(character, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function unreadable(path: string, error: unknown): CommandError {
  return new CommandError('usage', `${path} cannot be read: ${(error as Error).message}.`);
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  const lineEnd = text.includes('\n') ? '\n' : '\r';
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(text, at, lineEnd);
    yield text.slice(at, end);
    at = end;
    await nextTurn();
  }
}

function endOfPiece(text: string, start: number, lineEnd: string): number {
  const most = Math.min(text.length, start + CHARACTERS_AT_ONCE);
  let end = start;
  for (let rows = 0; rows < ROWS_AT_ONCE; rows++) {
    end = text.indexOf(lineEnd, end) + 1;
    if (end === 0 || end > most) return most;
  }
  return end;
}

interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** The rows of a CSV file, by the columns that its first line names. */
class CsvRows {
  readonly body: string;
  readonly #isDeclared: boolean;
  readonly #delimiter: string;
  readonly #used = new Set<string>();
  readonly #rows: SourceRow[] = [];
  #columns: readonly string[] | undefined;
  #names: readonly string[] = [];

  constructor(text: string) {
    // Excel writes the delimiter into a first line of its own.
    const declared = /^sep=(.)\r?\n/i.exec(text);
    this.#isDeclared = declared !== null;
    this.body = declared ? text.slice(declared[0].length) : text;
    this.#delimiter = declared?.[1] ?? delimiterOf(this.body);
  }

  get options() {
    return {
      delimiter: this.#delimiter,
      // Otherwise the parser looks for it at every character of a long first line.
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    };
  }

  add({ record, info }: CsvRecord): void {
    if (!this.#columns) {
      this.#columns = record;
      this.#names = record.map(columnName);
      return;
    }
    if (record.every((cell) => cell === '')) return;
    const names = this.#names;
    const line = info.lines - lineBreaksIn(record) + (this.#isDeclared ? 1 : 0);
    // Cells without a column are ignored if they are empty.
    if (record.length < names.length || record.slice(names.length).some(Boolean)) {
      const error = `has ${record.length} cells, the first line has ${names.length}`;
      this.#rows.push({ line, error });
      return;
    }
    const cells = new Map(names.map((name, i) => [name, record[i]]));
    const decimalComma = this.#delimiter === ';';
    const row = new Row(cells, { isJson: false, decimalComma, used: this.#used });
    this.#rows.push({ line, row });
  }

  content(path: string): Content {
    if (!this.#columns) throw new CommandError('usage', `${path} is empty.`);
    return { columns: this.#columns, rows: this.#rows, used: this.#used };
  }
}

/** The delimiter that the first line has most of, outside quotes. */
function delimiterOf(text: string): string {
  const head = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: head.split(delimiter).length,
  }));
  return counts.toSorted((a, b) => b.count - a.count)[0]!.delimiter;
}

function lineBreaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
}

function readJson(text: string, path: string): Content {
  const rows = new JsonRows();
  for (const record of recordsOf(text, path)) rows.add(record);
  return rows.content();
}

async function readJsonInTurns(text: string, path: string): Promise<Content> {
  const cost = costOf(text, JSON_LIMITS);
  if (cost !== undefined) throw new CommandError('usage', `${path} ${cost}`);
  const rows = new JsonRows();
  for (const [i, record] of recordsOf(text, path).entries()) {
    rows.add(record);
    if (i % ROWS_AT_ONCE === 0) await nextTurn();
  }
  return rows.content();
}

/** The rows of a JSON file, by the names of all fields. */
class JsonRows {
  readonly #used = new Set<string>();
  readonly #format: RowFormat = { isJson: true, decimalComma: false, used: this.#used };
  readonly #columns = new Set<string>();
  readonly #rows: SourceRow[] = [];

  add(record: unknown): void {
    const line = this.#rows.length + 1;
    const cells = flatten(record);
    for (const name of cells.keys()) this.#columns.add(name);
    const row = new Row(cells, this.#format);
    this.#rows.push(cells.size === 0 ? { line, error: 'is no object' } : { line, row });
  }

  content(): Content {
    return { columns: [...this.#columns], rows: this.#rows, used: this.#used };
  }
}

function recordsOf(text: string, path: string): unknown[] {
  try {
    return listIn(JSON.parse(text));
  } catch (error) {
    throw new CommandError('usage', `${path} is not JSON: ${(error as Error).message}.`);
  }
}

/**
 * A list, or the first list in an object: APIs wrap theirs in `data` or the name of the records. The settings of
 * AffiliateWP are one record, which has lists.
 */
function listIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  // Only texts that begin with a bracket are read as JSON.
  const record = value as object;
  if ('referral_rate' in record) return [value];
  return Object.values(record).find((inner) => Array.isArray(inner)) ?? [value];
}
