import type { TObject, TSchema } from 'typebox';
import type { TooLarge } from '../../shared/byte-size.ts';
import { ApiError, generalErrors } from '../declare/errors.ts';
import { FieldErrors, ERRORS_MAX } from '../declare/field-errors.ts';
import { coerce } from './coerce.ts';
import { rangeError, takesRange } from './date-range.ts';
import { compiledOf, reasonsFor } from './error-messages.ts';
import { inspect, isSoundScalar } from './inspect.ts';

/** The input of a request before it is checked. */
export interface RawInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** True for a form, whose values are all text. JSON has types, so its values are not converted. */
  bodyIsText: boolean;
}

interface ReaderOptions {
  /** The parameter that receives the items of a body that is an array. */
  listBody?: string | undefined;
  /** Whether unknown fields of the body are refused instead of ignored. */
  closed?: boolean;
}

/** Adds errors that a schema cannot express. `input` lacks the parameters that already have an error. */
export type InputCheck = (input: Record<string, unknown>, errors: FieldErrors) => void;

/** Reads and checks the input of one operation. Its error names all invalid parameters, not only one. */
export class InputReader {
  readonly #params: PartReader | undefined;
  readonly #query: PartReader | undefined;
  readonly #body: PartReader | undefined;
  readonly #listBody: string | undefined;
  readonly #takesRange: boolean;

  constructor(
    schemas: { params?: TObject; query?: TObject; body?: TObject },
    { listBody, closed = false }: ReaderOptions = {},
  ) {
    this.#params = schemas.params && new PartReader(schemas.params, false);
    this.#query = schemas.query && new PartReader(schemas.query, false);
    this.#body = schemas.body && new PartReader(schemas.body, closed);
    this.#listBody = listBody;
    this.#takesRange = takesRange(schemas.query);
  }

  read(raw: RawInput, check?: InputCheck): Record<string, unknown> {
    const input: Record<string, unknown> = {};
    const errors = new FieldErrors();
    this.#params?.read(raw.params, true, input, errors);
    this.#query?.read(raw.query, true, input, errors);
    if (this.#takesRange) checkRange(input, errors);
    if (!this.#body || this.#readBody(this.#body, raw, input, errors)) check?.(input, errors);
    if (!errors.isEmpty) throw refusal(errors);
    return input;
  }

  /** Returns false if the body is not an object, so that its parameters could not be read. */
  #readBody(
    reader: PartReader,
    raw: RawInput,
    input: Record<string, unknown>,
    errors: FieldErrors,
  ): boolean {
    const given = raw.body === undefined ? {} : raw.body;
    const isList = this.#listBody !== undefined && Array.isArray(given);
    const body = isList ? { [this.#listBody]: given } : given;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      errors.add('body', `must be an object${this.#listBody ? ' or a list of them' : ''}`);
      return false;
    }
    // `typeof` narrows to `object`, which has no index signature.
    reader.read(body as Record<string, unknown>, raw.bodyIsText, input, errors);
    return true;
  }
}

function checkRange({ from, to }: Record<string, unknown>, errors: FieldErrors): void {
  const reason = rangeError(from, to);
  if (reason !== undefined) errors.add('from', reason);
}

/** Reads one part of a request: path, query or body. */
class PartReader {
  readonly #readers: ParameterReader[];
  readonly #names: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #closed: boolean;

  constructor(schema: TObject, closed: boolean) {
    const required = new Set(schema.required ?? []);
    this.#readers = Object.entries(schema.properties).map(
      ([name, property]) => new ParameterReader(name, property, required.has(name), closed),
    );
    this.#names = this.#readers.map((reader) => reader.name);
    this.#known = new Set(this.#names);
    this.#closed = closed;
  }

  read(
    raw: Record<string, unknown>,
    isText: boolean,
    input: Record<string, unknown>,
    errors: FieldErrors,
  ): void {
    for (const reader of this.#readers) reader.read(raw, isText, input, errors);
    if (this.#closed) this.#nameUnknown(raw, errors);
  }

  #nameUnknown(raw: Record<string, unknown>, errors: FieldErrors): void {
    for (const name in raw) {
      if (errors.isFull) return;
      if (!this.#known.has(name)) errors.addUnknown(name, name, this.#names);
    }
  }
}

class ParameterReader {
  readonly name: string;
  readonly #schema: TSchema;
  readonly #required: boolean;
  readonly #default: unknown;
  readonly #closed: boolean;
  #compiled: ReturnType<typeof compiledOf> | undefined;

  constructor(name: string, schema: TSchema, required: boolean, closed: boolean) {
    this.name = name;
    this.#schema = schema;
    // `TSchema` does not declare annotations.
    this.#default = (schema as { default?: unknown }).default;
    this.#required = required && this.#default === undefined;
    this.#closed = closed;
  }

  read(
    raw: Record<string, unknown>,
    isText: boolean,
    input: Record<string, unknown>,
    errors: FieldErrors,
  ): void {
    const given = Object.hasOwn(raw, this.name) ? raw[this.name] : undefined;
    if (given === undefined) {
      if (this.#required) errors.missing.push(this.name);
      else if (this.#default !== undefined) input[this.name] = this.#default;
      return;
    }
    const value = isText ? coerce(this.#schema, given) : given;
    if (!isSoundScalar(value)) {
      const before = errors.count;
      inspect(this.#schema, value, () => this.name, { closed: this.#closed, errors });
      if (errors.count > before) return;
    }
    this.#compiled ??= compiledOf(this.#schema);
    if (this.#compiled.Check(value)) input[this.name] = value;
    else errors.add(this.name, reasonsFor(this.#schema, value));
  }
}

function refusal(errors: FieldErrors): ApiError {
  const { missing } = errors;
  const invalid = Object.fromEntries(Object.entries(errors.invalid).slice(0, ERRORS_MAX));
  const names = Object.keys(invalid);
  const isCut = names.length === ERRORS_MAX;
  const more = isCut ? `, and maybe more: the first ${ERRORS_MAX} are named` : '';
  if (missing.length === 0) {
    return new ApiError(generalErrors.invalidParam, {
      message: `Invalid parameter(s): ${names.join(', ')}${more}`,
      data: { params: invalid },
    });
  }
  return new ApiError(generalErrors.missingParam, {
    message: `Missing parameter(s): ${missing.join(', ')}`,
    data: names.length > 0 ? { params: missing, invalid } : { params: missing },
  });
}

/** The error for required parameters that are missing. */
export function missingParameters(names: readonly string[]): ApiError {
  const errors = new FieldErrors();
  errors.missing.push(...names);
  return refusal(errors);
}

/** The error for a parameter that is invalid for a reason beyond its schema. */
export function invalidParameter(name: string, reason: string): ApiError {
  return invalidParameters({ [name]: reason });
}

/** The error for a file that is too large. People read the limit in their own language. */
export function tooLarge(name: string, { message, bytesMax }: TooLarge): ApiError {
  return new ApiError(generalErrors.invalidParam, {
    message: `Invalid parameter(s): ${name}`,
    data: { params: { [name]: message }, bytes_max: bytesMax },
  });
}

/** The error for several invalid parameters. `reasons` maps names to reasons. */
export function invalidParameters(reasons: Record<string, string>): ApiError {
  const errors = new FieldErrors();
  for (const [name, reason] of Object.entries(reasons)) errors.add(name, reason);
  return refusal(errors);
}
