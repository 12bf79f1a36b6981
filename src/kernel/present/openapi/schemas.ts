import type { TSchema } from 'typebox';
import { isRequired } from '../../call/operation-errors.ts';

export type Json = Record<string, unknown>;

/** The schemas that a document has by name. */
export type NamedSchemas = Record<string, Json>;

export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Copies a schema for the document; parts that carry an `$id` become components referred to by it. */
export function hoist(schema: TSchema, schemas: NamedSchemas): Json {
  const { documentedAs } = schema as { documentedAs?: TSchema };
  if (documentedAs) return hoist(documentedAs, schemas);
  const { $id, ...copy } = asGeneratorsRead(copyOf(schema as Json, schemas));
  if (typeof $id !== 'string') return copy;
  schemas[$id] = copy;
  return refTo($id);
}

/** What holds values rather than schemas. */
const VALUES = new Set(['default', 'examples', 'const', 'enum']);

function copyOf(schema: Json, schemas: NamedSchemas): Json {
  const copy: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (VALUES.has(key)) copy[key] = value;
    else if (Array.isArray(value)) {
      copy[key] = value.map((item: unknown) => (isObject(item) ? hoist(item, schemas) : item));
    } else if (isObject(value)) {
      copy[key] = hoist(value, schemas);
    } else copy[key] = value;
  }
  return copy;
}

const ANY_NAME = '^.*$';

/**
 * The same in words that more generators of clients understand: an object of values of one kind by
 * `additionalProperties`, and control characters in patterns by `\x`, since some put what `\u` stands for
 * into the code.
 */
function asGeneratorsRead(schema: Json): Json {
  const { pattern, patternProperties, ...rest } = schema;
  const records = Object.entries((patternProperties ?? {}) as Record<string, Json>);
  const [[name, value] = []] = records;
  if (typeof pattern === 'string') rest['pattern'] = pattern.replaceAll('\\u00', '\\x');
  if (records.length > 1) rest['patternProperties'] = patternProperties;
  if (records.length !== 1) return rest;
  return {
    ...rest,
    ...(name !== ANY_NAME && { propertyNames: { pattern: name } }),
    additionalProperties: value,
  };
}

/** An object as a request must hold it: what has a default may be left out. */
export function asRequested({ required, ...schema }: Json): Json {
  const properties = schema['properties'] as Record<string, TSchema>;
  const needed = ((required ?? []) as string[]).filter((name) =>
    isRequired(properties[name]!, true),
  );
  return { ...schema, ...(needed.length > 0 && { required: needed }) };
}

/** Says of every object whose properties are known that it has no others. */
export function closed(schema: Json): Json {
  const parts = Object.entries(schema).map(([key, part]): [string, unknown] => {
    if (key === 'properties') {
      const properties = Object.entries(part as Record<string, Json>);
      return [key, Object.fromEntries(properties.map(([name, one]) => [name, closed(one)]))];
    }
    if (key === 'items') return [key, closed(part as Json)];
    // What is read later is a request of its own.
    if (key === 'documentedAs') return [key, closed(asRequested(part as Json))];
    return [key, key === 'anyOf' ? (part as Json[]).map(closed) : part];
  });
  const isKnown = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isKnown && { additionalProperties: false }) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
