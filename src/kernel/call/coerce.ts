import type { TSchema } from 'typebox';
import { LIST_MAX } from './inspect.ts';

/**
 * Query, path and form values are text. They are turned into what the contract asks for the way
 * the host platform does it; what cannot be turned stays as it is and fails the check.
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

/** No alternative matches the same digit twice, so the work is linear in the length. */
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

/** `a,b`, repeated parameters, `name[]=a&name[]=b`, or `name[0]=a&name[1]=b`. */
function toList(schema: TSchema, raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === 'string') {
    // One more than the contract allows is enough for it to refuse the list.
    const { maxItems = LIST_MAX } = schema as { maxItems?: number };
    return raw.split(/[\s,]+/, maxItems + 3).filter((part) => part !== '');
  }
  return isRecord(raw) ? (toIndexed(raw) ?? [raw]) : [raw];
}

/** The values in the order of their indexes; undefined where a name is not an index. */
function toIndexed(raw: Record<string, unknown>): unknown[] | undefined {
  const names = Object.keys(raw);
  if (names.length === 0 || !names.every((name) => INDEX.test(name))) return undefined;
  return names.sort((a, b) => Number(a) - Number(b)).map((name) => raw[name]);
}

const INDEX = /^\d{1,6}$/;

function toObject(schema: TSchema, raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
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
  return (schema as { items?: TSchema }).items ?? {};
}

/** The type a schema asks for; of a choice that allows null, the other one. */
function typeOf(schema: TSchema): string | undefined {
  const { type, anyOf } = schema as { type?: string; anyOf?: TSchema[] };
  if (type !== undefined || !anyOf) return type;
  return anyOf.map(typeOf).find((candidate) => candidate !== 'null');
}
