import type { TSchema } from 'typebox';
import { LIST_MAX } from './inspect.ts';

/**
 * Query, path and form values are text. They are converted to the type in the contract by the rules of
 * the host platform; text that cannot be converted stays unchanged and fails the check.
 */
export function coerce(schema: TSchema, raw: unknown): unknown {
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return toNumber(raw);
    case 'boolean':
      return toBoolean(raw);
    case 'array':
      return toList(schema, raw).map((item) => coerce(itemsOf(schema), item));
    case 'object':
      return toObject(schema, raw);
    default:
      return raw;
  }
}

/** No two alternatives match the same digit, so there is no backtracking: the work is linear. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

function toNumber(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const text = raw.trim();
  return DECIMAL.test(text) ? Number(text) : raw;
}

function toBoolean(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const word = raw.toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return raw;
}

/** Accepts `a,b`, repeated parameters, `name[]=a&name[]=b` and `name[0]=a&name[1]=b`. */
function toList(schema: TSchema, raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === 'string') {
    // The check needs only one item too many, so the split stops there; empty first and last parts
    // account for the other two. `TSchema` does not declare the keywords of arrays.
    const { maxItems = LIST_MAX } = schema as { maxItems?: number };
    return raw.split(/[\s,]+/, maxItems + 3).filter((part) => part !== '');
  }
  return isRecord(raw) ? (toIndexed(raw) ?? [raw]) : [raw];
}

/** The values in the order of their indexes; undefined if a name is not an index. */
function toIndexed(raw: Record<string, unknown>): unknown[] | undefined {
  const names = Object.keys(raw);
  if (names.length === 0 || !names.every((name) => INDEX.test(name))) return undefined;
  return names.sort((a, b) => Number(a) - Number(b)).map((name) => raw[name]);
}

const INDEX = /^\d{1,6}$/;

function toObject(schema: TSchema, raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  // `TSchema` does not declare the keywords of objects.
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {};
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? coerce(properties[name]!, value) : value,
    ]),
  );
}

function isRecord(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

function itemsOf(schema: TSchema): TSchema {
  // `TSchema` does not declare the keywords of arrays.
  return (schema as { items?: TSchema }).items ?? {};
}

/** The type of a schema; for a union with null, the type of the other alternative. */
function typeOf(schema: TSchema): string | undefined {
  // `TSchema` declares no keywords.
  const { type, anyOf } = schema as { type?: string; anyOf?: TSchema[] };
  if (type !== undefined || !anyOf) return type;
  return anyOf.map(typeOf).find((candidate) => candidate !== 'null');
}
