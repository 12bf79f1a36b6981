import type { TSchema } from 'typebox';
import { LOCAL_TIME_PATTERN } from '../../declare/schemas.ts';

/** The keywords of a JSON Schema that this file reads. */
interface Shape {
  documentedAs?: TSchema;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: TSchema[];
  minimum?: number;
  pattern?: string;
  format?: string;
  examples?: unknown[];
  default?: unknown;
  items?: TSchema;
  properties?: Record<string, TSchema>;
  required?: string[];
}

/**
 * An example value for a schema: the example that the schema declares, or one composed from the examples
 * of its parts. Required fields that a declared example lacks, such as those that an add-on contributes,
 * are added.
 */
export function exampleOf(schema: TSchema): unknown {
  // `TSchema` declares no keywords.
  const s = schema as Shape;
  if (s.documentedAs) return exampleOf(s.documentedAs);
  if (s.properties) return objectExample(s, s.properties);
  if (s.examples) return s.examples[0];
  if (s.default !== undefined) return s.default;
  if (s.const !== undefined) return s.const;
  if (s.enum) return s.enum[0];
  if (s.anyOf) return exampleOf(s.anyOf[0]!);
  if (s.items) return [exampleOf(s.items)];
  return plainExample(s);
}

function plainExample({ type, minimum, pattern, format }: Shape): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return minimum ?? 0;
    case 'boolean':
      return false;
    case 'string':
      if (format === 'date') return '2026-02-12';
      return pattern === LOCAL_TIME_PATTERN ? '2026-02-12T09:30:00' : '';
    case 'null':
      return null;
    default:
      return {};
  }
}

function objectExample(s: Shape, properties: Record<string, TSchema>): object {
  // `examples` of an object schema holds objects.
  const declared = s.examples?.[0] as Record<string, unknown> | undefined;
  const names = declared ? (s.required ?? []) : Object.keys(properties);
  // A declared example may have fields of an add-on that is not active.
  const known = Object.entries(declared ?? {}).filter(([name]) => name in properties);
  const rest = names.filter((name) => declared === undefined || !(name in declared));
  const composed = rest.map((name): [string, unknown] => [name, exampleOf(properties[name]!)]);
  const values: Record<string, unknown> = Object.fromEntries([...known, ...composed]);
  // Responses have their fields in the order of the schema, so the example does too.
  const order = Object.keys(properties).filter((name) => name in values);
  return Object.fromEntries(order.map((name) => [name, values[name]]));
}
