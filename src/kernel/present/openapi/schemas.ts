import type { TSchema } from 'typebox';
import { isRequired } from '../../call/operation-errors.ts';

export type Json = Record<string, unknown>;

/** The section `components.schemas` of a document. */
export type NamedSchemas = Record<string, Json>;

export const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Copies a schema for the document. Parts with an `$id` become components, and references to them. */
export function hoist(schema: TSchema, schemas: NamedSchemas): Json {
  // `TSchema` declares no keywords; a schema is a JSON object.
  const { documentedAs } = schema as { documentedAs?: TSchema };
  if (documentedAs) return hoist(documentedAs, schemas);
  const { $id, ...copy } = asGeneratorsRead(copyOf(schema as Json, schemas));
  if (typeof $id !== 'string') return copy;
  schemas[$id] = copy;
  return refTo($id);
}

/** Keywords that hold values instead of schemas, which are copied unchanged. */
const VALUES = new Set(['default', 'examples', 'const', 'enum']);
/** Keywords that hold schemas by names, which may be those of keywords. */
const BY_NAME = new Set(['properties', 'patternProperties']);

function copyOf(schema: Json, schemas: NamedSchemas): Json {
  const copy: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (VALUES.has(key)) copy[key] = value;
    else if (BY_NAME.has(key)) {
      const named = Object.entries(value as Record<string, Json>);
      copy[key] = Object.fromEntries(named.map(([name, one]) => [name, hoist(one, schemas)]));
    } else if (Array.isArray(value)) {
      copy[key] = value.map((item: unknown) => (isObject(item) ? hoist(item, schemas) : item));
    } else if (isObject(value)) {
      copy[key] = hoist(value, schemas);
    } else copy[key] = value;
  }
  return copy;
}

const ANY_NAME = '^.*$';

/**
 * Rewrites a schema so that more client generators understand it: a map of values of one type uses
 * `additionalProperties`, and control characters in patterns use `\x`, because some generators write the
 * character itself into the code for `\u`.
 */
function asGeneratorsRead(schema: Json): Json {
  const { pattern, patternProperties, ...rest } = schema;
  // JSON Schema defines the type of the keyword.
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

/** The schema for requests, where properties with a default are optional. */
export function asRequested({ required, ...schema }: Json): Json {
  // JSON Schema defines the types of both keywords; only object schemas are passed.
  const properties = schema['properties'] as Record<string, TSchema>;
  const needed = ((required ?? []) as string[]).filter((name) =>
    isRequired(properties[name]!, true),
  );
  return { ...schema, ...(needed.length > 0 && { required: needed }) };
}

/** Sets `additionalProperties: false` on every object with declared properties. */
export function closed(schema: Json): Json {
  // JSON Schema defines the types of the keywords below, and `documentedAs` is a schema.
  const parts = Object.entries(schema).map(([key, part]): [string, unknown] => {
    if (key === 'properties') {
      const properties = Object.entries(part as Record<string, Json>);
      return [key, Object.fromEntries(properties.map(([name, one]) => [name, closed(one)]))];
    }
    if (key === 'items') return [key, closed(part as Json)];
    // An operation validates the items of `ReadLater` like a request.
    if (key === 'documentedAs') return [key, closed(asRequested(part as Json))];
    return [key, key === 'anyOf' ? (part as Json[]).map(closed) : part];
  });
  const isKnown = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(parts), ...(isKnown && { additionalProperties: false }) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
