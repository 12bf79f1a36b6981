import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';

type CompiledSchema = ReturnType<typeof Compile>;

/** The keywords of a JSON Schema that this file reads. `TSchema` declares none. */
interface Shape {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly items?: TSchema;
  readonly properties?: Record<string, TSchema>;
}

const REASONS_MAX = 5;
/**
 * Values that a message may repeat: a short word, a number or a date. A password, key or token sent in
 * the wrong parameter is longer, or mixes letters and digits, and must not appear in a response.
 */
const REPEATABLE = /^(?:[a-z_-]{0,11}|[\d.,:+-]{1,11})$/i;
/** The value helps to understand these errors. For others, such as `pattern`, it may be a credential. */
const REPEATABLE_KEYWORDS = new Set([
  'type',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
]);

const compiled = new WeakMap<TSchema, CompiledSchema>();

/** Compiles a schema on first use, because most processes call few of the operations. */
export function compiledOf(schema: TSchema): CompiledSchema {
  let known = compiled.get(schema);
  if (!known) compiled.set(schema, (known = Compile(schema)));
  return known;
}

/** The reasons why a value is invalid: `must be <= 100`, after the path for an error inside the value. */
export function reasonsFor(schema: TSchema, value: unknown): string {
  const reasons = new Set<string>();
  collect(schema, value, '', reasons);
  return [...reasons].slice(0, REASONS_MAX).join('; ');
}

/**
 * Descends to the invalid part and reads the errors there. `Errors` of the complete value would continue
 * through everything after the first error, at 5 µs per value.
 */
function collect(schema: TSchema, value: unknown, place: string, reasons: Set<string>): void {
  let found = false;
  for (const [name, part, child] of partsOf(schema, value)) {
    if (compiledOf(part).Check(child)) continue;
    found = true;
    collect(part, child, place === '' ? name : `${place}.${name}`, reasons);
    if (reasons.size >= REASONS_MAX) return;
  }
  if (found) return;
  for (const error of compiledOf(schema).Errors(value)) {
    const inside = error.instancePath.slice(1).replaceAll('/', '.');
    const where = [place, inside].filter((text) => text !== '').join('.');
    const reason = reasonOf(error, where === '' ? schema : {});
    const named = reason + naming(error, schema, valueAt(value, error.instancePath));
    reasons.add(where === '' ? named : `${where} ${named}`);
  }
}

function* partsOf(shape: Shape, value: unknown): Generator<[string, TSchema, unknown]> {
  if (Array.isArray(value)) {
    if (!shape.items) return;
    for (const [i, item] of value.entries()) yield [String(i), shape.items, item];
  } else if (typeof value === 'object' && value !== null && shape.properties) {
    for (const [name, property] of Object.entries(shape.properties)) {
      if (Object.hasOwn(value, name)) {
        // `hasOwn` does not narrow the type.
        yield [name, property, (value as Record<string, unknown>)[name]];
      }
    }
  }
}

/** `, not "abc"`: repeats the value unless it may be a credential. */
function naming(
  { keyword }: TLocalizedValidationError,
  { type, format }: Shape,
  value: unknown,
): string {
  const isDay = keyword === 'format' && format === 'date';
  if (!isDay && !REPEATABLE_KEYWORDS.has(keyword)) return '';
  if (keyword === 'type' && type === 'string') return '';
  if (typeof value === 'object' && value !== null) return '';
  if (value === undefined || (typeof value === 'string' && !REPEATABLE.test(value))) return '';
  return `, not ${JSON.stringify(value)}`;
}

/** The value at a JSON pointer; undefined if there is none. */
function valueAt(value: unknown, pointer: string): unknown {
  // The pointer comes from an error about this value, so each step but the last is an object or array.
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}

function reasonOf(error: TLocalizedValidationError, schema: Shape): string {
  // A regular expression does not help a reader; its description and an example do.
  if (error.keyword === 'pattern' && schema.description !== undefined) {
    const [example] = schema.examples ?? [];
    const shown = typeof example === 'string' ? ` For example: ${example}` : '';
    return `does not fit: ${schema.description}${shown}`;
  }
  if (error.keyword === 'format' && error.params.format === 'date') {
    return 'must be a day of the calendar in the form YYYY-MM-DD';
  }
  // The schema `false` of `additionalProperties`: the object may not have a field of this name.
  if (error.keyword === 'boolean') return 'is not allowed';
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return error.message.replace(/\b1 (item|character)s$/, '1 $1');
}
