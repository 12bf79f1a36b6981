import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { didYouMean } from '../shared/nearest.ts';
import { coerce } from './coerce.ts';
import { rangeFault, takesRange } from './date-range.ts';
import { ApiError, generalErrors } from './errors.ts';

/** What arrived, before anyone has looked at it. */
export interface RawInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** A form body: all its values are text. JSON says itself what is a number. */
  bodyIsText: boolean;
}

/** What is wrong with an input: the names of missing parameters, and the others with the reason. */
export interface Faults {
  missing: string[];
  invalid: Record<string, string>;
}

/** Adds the faults that schemas cannot tell. Parameters with a fault are not in `input`. */
export type InputCheck = (input: Record<string, unknown>, faults: Faults) => void;

/** Reads and checks the input of one operation; names every faulty parameter at once. */
export class InputReader {
  readonly #params: PartReader | undefined;
  readonly #query: PartReader | undefined;
  readonly #body: PartReader | undefined;
  readonly #listBody: string | undefined;
  readonly #takesRange: boolean;

  /** `listBody` names the parameter that a body which is an array stands for. */
  constructor(schemas: { params?: TObject; query?: TObject; body?: TObject }, listBody?: string) {
    this.#params = schemas.params && new PartReader(schemas.params);
    this.#query = schemas.query && new PartReader(schemas.query);
    this.#body = schemas.body && new PartReader(schemas.body);
    this.#listBody = listBody;
    this.#takesRange = takesRange(schemas.query);
  }

  read(raw: RawInput, check?: InputCheck): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    const faults: Faults = { missing: [], invalid: {} };
    this.#params?.read(raw.params, true, input, faults);
    this.#query?.read(raw.query, true, input, faults);
    if (this.#takesRange) checkRange(input, faults);
    if (!this.#body || this.#readBody(this.#body, raw, input, faults)) check?.(input, faults);
    if (faults.missing.length > 0 || Object.keys(faults.invalid).length > 0) throw refusal(faults);
    return input;
  }

  /** False where the body holds no parameters at all. */
  #readBody(
    reader: PartReader,
    raw: RawInput,
    input: Record<string, unknown>,
    faults: Faults,
  ): boolean {
    const given = raw.body === undefined ? {} : raw.body;
    const isList = this.#listBody !== undefined && Array.isArray(given);
    const body = isList ? { [this.#listBody!]: given } : given;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      faults.invalid['body'] = `must be an object${this.#listBody ? ' or a list of them' : ''}`;
      return false;
    }
    reader.read(body as Record<string, unknown>, raw.bodyIsText, input, faults);
    return true;
  }
}

function checkRange({ from, to }: Record<string, unknown>, faults: Faults): void {
  const reason = rangeFault(from, to);
  if (reason !== undefined) faults.invalid['from'] = reason;
}

/** One place parameters come from: path, query or body. */
class PartReader {
  readonly #readers: ParameterReader[];
  readonly #closed: boolean;

  constructor(schema: TObject) {
    const required = new Set(schema.required ?? []);
    this.#readers = Object.entries(schema.properties).map(
      ([name, property]) => new ParameterReader(name, property, required.has(name)),
    );
    this.#closed = (schema as { additionalProperties?: unknown }).additionalProperties === false;
  }

  read(
    raw: Record<string, unknown>,
    isText: boolean,
    input: Record<string, unknown>,
    faults: Faults,
  ): void {
    for (const reader of this.#readers) reader.read(raw, isText, input, faults);
    if (this.#closed) this.#nameUnknown(raw, faults);
  }

  /** Unknown parameters are ignored, as on the host platform, except where the contract is closed. */
  #nameUnknown(raw: Record<string, unknown>, faults: Faults): void {
    const known = this.#readers.map((reader) => reader.name);
    for (const name of Object.keys(raw)) {
      if (!known.includes(name)) faults.invalid[name] = `is not known.${didYouMean(name, known)}`;
    }
  }
}

class ParameterReader {
  readonly name: string;
  readonly #schema: TSchema;
  readonly #required: boolean;
  readonly #default: unknown;
  #compiled: ReturnType<typeof Compile> | undefined;

  constructor(name: string, schema: TSchema, required: boolean) {
    this.name = name;
    this.#schema = schema;
    this.#default = (schema as { default?: unknown }).default;
    this.#required = required && this.#default === undefined;
  }

  read(
    raw: Record<string, unknown>,
    isText: boolean,
    input: Record<string, unknown>,
    faults: Faults,
  ): void {
    const given = Object.hasOwn(raw, this.name) ? raw[this.name] : undefined;
    if (given === undefined) {
      if (this.#required) faults.missing.push(this.name);
      else if (this.#default !== undefined) input[this.name] = this.#default;
      return;
    }
    // Compiled on first use: most operations are not called in most processes.
    this.#compiled ??= Compile(this.#schema);
    const value = isText ? coerce(this.#schema, given) : given;
    if (this.#compiled.Check(value)) input[this.name] = value;
    else faults.invalid[this.name] = reasons(this.#compiled.Errors(value), this.#schema);
  }
}

function refusal({ missing, invalid }: Faults): ApiError {
  const names = Object.keys(invalid);
  if (missing.length === 0) {
    return new ApiError(generalErrors.invalidParam, {
      message: `Invalid parameter(s): ${names.join(', ')}`,
      data: { params: invalid },
    });
  }
  return new ApiError(generalErrors.missingParam, {
    message: `Missing parameter(s): ${missing.join(', ')}`,
    data: names.length > 0 ? { params: missing, invalid } : { params: missing },
  });
}

const REASONS_MAX = 5;

/** `must be <= 100`, with the place inside the parameter where it is not the parameter itself. */
function reasons(errors: TLocalizedValidationError[], schema: TSchema): string {
  const texts = errors.map((error) => {
    const place = error.instancePath.slice(1).replaceAll('/', '.');
    const reason = reasonOf(error, place === '' ? schema : {});
    return place === '' ? reason : `${place} ${reason}`;
  });
  return [...new Set(texts)].slice(0, REASONS_MAX).join('; ');
}

function reasonOf(error: TLocalizedValidationError, schema: { description?: string }): string {
  // A pattern says nothing to people; its description does.
  if (error.keyword === 'pattern' && schema.description !== undefined) {
    return `does not fit: ${schema.description}`;
  }
  if (error.keyword === 'format' && error.params.format === 'date') {
    return 'must be a day of the calendar in the form YYYY-MM-DD';
  }
  // The name of a field that has no place in there.
  if (error.keyword === 'boolean') return 'is not allowed';
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return error.message;
}

/** A refusal of one parameter for a reason that its schema cannot tell. */
export function invalidParameter(name: string, reason: string): ApiError {
  return refusal({ missing: [], invalid: { [name]: reason } });
}
