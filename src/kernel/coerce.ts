import type { TSchema } from 'typebox';

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
      return toList(raw).map((item) => coerce(itemsOf(schema), item));
    case 'object':
      return toObject(schema, raw);
    default:
      return raw;
  }
}

function toNumber(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(raw)) return raw;
  return Number(raw);
}

function toBoolean(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const word = raw.toLowerCase();
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return raw;
}

/** `a,b`, repeated parameters, or `name[]=a&name[]=b`. */
function toList(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw === 'string') return raw.split(/[\s,]+/).filter((part) => part !== '');
  return [raw];
}

function toObject(schema: TSchema, raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {};
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const property = properties[name];
      return [name, property ? coerce(property, value) : value];
    }),
  );
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
