import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';

type Compiled = ReturnType<typeof Compile>;

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
 * A short word, or a number or date: a password, key or token that is sent in the wrong place is longer
 * or mixes both, and is not repeated.
 */
const NAMED = /^(?:[a-z_-]{0,11}|[\d.,:+-]{1,11})$/i;
/** What is wrong with these is seen in the value. A text that does not fit could be a credential. */
const NAMED_KEYWORDS = new Set([
  'type',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
]);

const compiled = new WeakMap<TSchema, Compiled>();

/** Compiled on first use: most operations are not called in most processes. */
export function compiledOf(schema: TSchema): Compiled {
  let known = compiled.get(schema);
  if (!known) compiled.set(schema, (known = Compile(schema)));
  return known;
}

/** Why a value does not fit: `must be <= 100`, with the place inside the value where there is one. */
export function reasonsFor(schema: TSchema, value: unknown): string {
  const reasons = new Set<string>();
  collect(schema, value, '', reasons);
  return [...reasons].slice(0, REASONS_MAX).join('; ');
}

/**
 * Goes down to what is faulty and asks for the errors there. Asked of the whole value, the library
 * goes on through everything that follows the first fault: 5 µs for each of its values.
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
        yield [name, property, (value as Record<string, unknown>)[name]];
      }
    }
  }
}

/** `, not "abc"`: the value itself, where it cannot be a credential. */
function naming(
  { keyword }: TLocalizedValidationError,
  { type, format }: Shape,
  value: unknown,
): string {
  const isDay = keyword === 'format' && format === 'date';
  if (!isDay && !NAMED_KEYWORDS.has(keyword)) return '';
  if (keyword === 'type' && type === 'string') return '';
  if (typeof value === 'object' && value !== null) return '';
  if (value === undefined || (typeof value === 'string' && !NAMED.test(value))) return '';
  return `, not ${JSON.stringify(value)}`;
}

/** The value at a JSON pointer, as far as it leads. */
function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
}

function reasonOf(error: TLocalizedValidationError, schema: Shape): string {
  // A pattern says nothing to people; its description and an example do.
  if (error.keyword === 'pattern' && schema.description !== undefined) {
    const [example] = schema.examples ?? [];
    const shown = typeof example === 'string' ? ` For example: ${example}` : '';
    return `does not fit: ${schema.description}${shown}`;
  }
  if (error.keyword === 'format' && error.params.format === 'date') {
    return 'must be a day of the calendar in the form YYYY-MM-DD';
  }
  // The name of a field that has no place in there.
  if (error.keyword === 'boolean') return 'is not allowed';
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return error.message.replace(/\b1 (item|character)s$/, '1 $1');
}
