import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidParameter, tooLarge } from '../../kernel/call/parameters.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Upload } from '../../kernel/declare/operation.ts';
import { TooLarge } from '../../shared/byte-size.ts';
import { addField, emptyFields, type Fields } from './fields.ts';

const PARTS_MAX = 200;
/** The part of a form whose text is JSON. */
const JSON_PART = 'json';
const HEAD_BYTES_MAX = 8 * 1024;
/** Of a form without its files: the other fields and the boundaries. */
const OTHER_BYTES_MAX = 100_000;
/** Of all fields that are no file. */
const TEXT_BYTES_MAX = 1024 * 1024;
/** RFC 2046. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
/** Browsers quote the values, other clients only those that need it. */
const PARAMETER = /;\s*([^\s=;"]+)=(?:"([^"]*)"|([^\s;"]*))/g;
const HEAD_END = '\r\n\r\n';

/** The length of the longest form. */
export const formBytesMaxOf = ({ bytesMax }: Upload): number => bytesMax + OTHER_BYTES_MAX;

/**
 * Reads a body of RFC 7578 as it arrives. The file becomes text in base64, as it is in a JSON body, piece by piece: a
 * large one never stops other requests. Throws as soon as a limit is exceeded.
 */
export async function readMultipart(
  contentType: string,
  chunks: AsyncIterable<Buffer>,
  { upload, parse }: { upload: Upload; parse: (json: string) => unknown },
): Promise<Fields> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed('has no boundary');
  const reader = new MultipartReader(boundary, upload, parse);
  let bytes = 0;
  for await (const chunk of chunks) {
    if ((bytes += chunk.length) > formBytesMaxOf(upload))
      throw new ApiError(generalErrors.payloadTooLarge);
    reader.read(chunk);
  }
  const fields = reader.end();
  // The longest file takes half a turn until here. What checks it has a turn of its own.
  await nextTurn();
  return fields;
}

class MultipartReader {
  readonly #fields = emptyFields();
  readonly #upload: Upload;
  readonly #parse: (json: string) => unknown;
  readonly #delimiter: Buffer;
  /** What was not read yet. It begins like a line, so that the first delimiter is like the others. */
  #rest: Buffer = Buffer.from('\r\n');
  #state: 'before' | 'delimiter' | 'head' | 'body' | 'after' = 'before';
  #part: Part | undefined;
  #parts = 0;
  #textBytes = 0;
  #fileBytes = 0;

  constructor(boundary: string, upload: Upload, parse: (json: string) => unknown) {
    this.#upload = upload;
    this.#parse = parse;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#step());
  }

  end(): Fields {
    if (this.#state !== 'after') throw malformed('is not complete');
    return this.#fields;
  }

  /** Returns false if more of the body is needed. */
  #step(): boolean {
    switch (this.#state) {
      case 'before':
      case 'body':
        return this.#readContent();
      case 'delimiter':
        return this.#readDelimiter();
      case 'head':
        return this.#readHead();
      case 'after':
        this.#rest = Buffer.alloc(0);
        return false;
    }
  }

  #readContent(): boolean {
    const at = this.#rest.indexOf(this.#delimiter);
    // The end of what is known may be the beginning of a delimiter.
    const known = at >= 0 ? at : Math.max(0, this.#rest.length - this.#delimiter.length + 1);
    this.#add(this.#take(known));
    if (at < 0) return false;
    this.#take(this.#delimiter.length);
    if (this.#part) this.#keep(this.#part);
    this.#part = undefined;
    this.#state = 'delimiter';
    return true;
  }

  #keep(part: Part): void {
    const value = part.value();
    if (!(part instanceof FilePart)) {
      if (part.name === JSON_PART) Object.assign(this.#fields, objectOf(this.#parse(value)));
      else addField(this.#fields, part.name, value);
      return;
    }
    const { content, name, isList } = this.#upload;
    if (name !== undefined) {
      this.#fields[content] = value;
      if (name !== null && part.fileName !== '') this.#fields[name] ??= part.fileName;
      return;
    }
    const file = { name: part.fileName, content: value };
    // Only this function sets the field, unless it is given as text too, which is then replaced.
    const before = this.#fields[content];
    if (!isList) this.#fields[content] = file;
    else this.#fields[content] = Array.isArray(before) ? [...(before as unknown[]), file] : [file];
  }

  #readDelimiter(): boolean {
    if (this.#rest.length < 2) return false;
    const next = this.#take(2).toString('latin1');
    if (next !== '--' && next !== '\r\n')
      throw malformed('has a boundary with something behind it');
    this.#state = next === '--' ? 'after' : 'head';
    return true;
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf(HEAD_END);
    if (end > HEAD_BYTES_MAX || (end < 0 && this.#rest.length > HEAD_BYTES_MAX)) {
      throw malformed('has a part with a long head');
    }
    if (end < 0) return false;
    if ((this.#parts += 1) > PARTS_MAX) throw malformed(`has more than ${PARTS_MAX} parts`);
    this.#part = this.#open(this.#take(end).toString());
    this.#take(HEAD_END.length);
    this.#state = 'body';
    return true;
  }

  #open(head: string): Part {
    const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(head)?.[1] ?? '';
    const given = new Map(
      disposition.matchAll(PARAMETER).map(([, key, quoted, plain]) => [
        // The expression always matches a key, which the types do not know.
        key!.toLowerCase(),
        quoted ?? plain!,
      ]),
    );
    const name = given.get('name');
    const fileName = given.get('filename');
    if (name === undefined) throw malformed('has a part without a name');
    if (fileName === undefined) return new TextPart(name);
    if (name !== this.#upload.content) throw invalidParameter(name, 'must not be a file');
    const plain = fileName.slice(
      Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1,
    );
    return new FilePart(name, plain, this.#upload.isText);
  }

  #add(bytes: Buffer): void {
    const { content, bytesMax } = this.#upload;
    if (this.#part instanceof FilePart) this.#fileBytes += bytes.length;
    else if (this.#part) this.#textBytes += bytes.length;
    if (this.#fileBytes > bytesMax) throw tooLarge(content, new TooLarge(bytesMax));
    if (this.#textBytes > TEXT_BYTES_MAX) throw new ApiError(generalErrors.payloadTooLarge);
    this.#part?.add(bytes);
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}

interface Part {
  readonly name: string;
  add(bytes: Buffer): void;
  value(): string;
}

class TextPart implements Part {
  readonly name: string;
  readonly #chunks: Buffer[] = [];

  constructor(name: string) {
    this.name = name;
  }

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
  }

  value(): string {
    const bytes = Buffer.concat(this.#chunks);
    if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
    return bytes.toString();
  }
}

class FilePart implements Part {
  readonly name: string;
  readonly fileName: string;
  readonly #text: TextPart | undefined;
  readonly #texts: string[] = [];
  #rest: Buffer = Buffer.alloc(0);

  constructor(name: string, fileName: string, isText = false) {
    this.name = name;
    this.fileName = fileName;
    this.#text = isText ? new TextPart(name) : undefined;
  }

  /** Three bytes are four characters; the others wait for the next piece. */
  add(bytes: Buffer): void {
    if (this.#text) return this.#text.add(bytes);
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % 3);
    this.#texts.push(all.toString('base64', 0, whole));
    this.#rest = all.subarray(whole);
  }

  value(): string {
    return this.#text?.value() ?? this.#texts.join('') + this.#rest.toString('base64');
  }
}

function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParameter(JSON_PART, 'must be an object');
  }
  return value;
}

function malformed(message: string): ApiError {
  return invalidParameter('body', message);
}
