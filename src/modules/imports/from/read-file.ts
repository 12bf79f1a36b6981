import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse as parseStream } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { CommandError } from '../../../kernel/declare/command.ts';
import { columnName, flatten, Row, type RowFormat } from './row.ts';

/** The complete file is in memory; exports of affiliate programs have some megabytes. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

/** Read in a millisecond or two. */
const CHARACTERS_AT_ONCE = 32 * 1024;

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
    throw new CommandError('usage', `${path} is larger than 256 MB: split it.`);
  }
  const bytes = readBytes(path);
  return readText(basename(path), decode(bytes, path), bytes);
}

function readText(name: string, text: string, bytes: Buffer): SourceFile {
  return { name, digest: digestOf(bytes), ...(isJson(text) ? readJson : readCsv)(text, name) };
}

/** A file whose text is known already. Other requests have their turn while a long one is read. */
export async function readTextInTurns(name: string, text: string): Promise<SourceFile> {
  const content = isJson(text) ? readJson(text, name) : await readCsvInTurns(text, name);
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
  const rows = new CsvRows(text);
  const parser = Readable.from(piecesOf(rows.body)).pipe(parseStream(rows.options));
  try {
    for await (const record of parser) rows.add(record as CsvRecord);
  } catch (error) {
    throw unreadable(path, error);
  }
  return rows.content(path);
}

function unreadable(path: string, error: unknown): CommandError {
  return new CommandError('usage', `${path} cannot be read: ${(error as Error).message}.`);
}

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHARACTERS_AT_ONCE) {
    yield text.slice(at, at + CHARACTERS_AT_ONCE);
    await nextTurn();
  }
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError('usage', `${path} is not JSON: ${(error as Error).message}.`);
  }
  const used = new Set<string>();
  const format: RowFormat = { isJson: true, decimalComma: false, used };
  const records = listIn(value);
  const columns = new Set<string>();
  const rows = records.map((record, i): SourceRow => {
    const cells = flatten(record);
    if (cells.size === 0) return { line: i + 1, error: 'is no object' };
    for (const name of cells.keys()) columns.add(name);
    return { line: i + 1, row: new Row(cells, format) };
  });
  return { columns: [...columns], rows, used };
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
