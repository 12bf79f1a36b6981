import type { TSchema } from 'typebox';
import { fc } from './seeded-random.ts';

/** An id that does not exist. */
export const ABSENT_ID = 987_654_321;

interface Described {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  required?: string[];
  default?: unknown;
  minimum?: number;
  minLength?: number;
  minItems?: number;
  pattern?: string;
  format?: string;
}

const FORMATS: Record<string, string> = {
  date: '2026-01-31',
  uri: 'https://shop.example/path',
  email: 'someone@shop.example',
};

/** A value that a schema accepts: objects have required properties only, ids are `ABSENT_ID`. */
export function sampleOf(schema: TSchema | undefined, name = ''): any {
  const s = (schema ?? {}) as Described;
  if (s.examples) return s.examples[0];
  if (s.const !== undefined) return s.const;
  if (s.enum) return s.enum[0];
  if (s.anyOf) return sampleOf(s.anyOf[0], name);
  switch (s.type) {
    case 'integer':
    case 'number':
      return /(^|_)id$/.test(name) ? ABSENT_ID : (s.minimum ?? 1);
    case 'boolean':
      return false;
    case 'string':
      return sampleText(s);
    case 'array':
      return Array.from({ length: s.minItems ?? 0 }, () => sampleOf(s.items));
    default:
      return sampleObject(s);
  }
}

function sampleText({ pattern, format, minLength = 1 }: Described): string {
  if (pattern)
    return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 7 })[0]!;
  return FORMATS[format ?? ''] ?? 'x'.repeat(minLength);
}

function sampleObject({ properties = {}, required = [] }: Described): Record<string, unknown> {
  const needed = required.filter((key) => (properties[key] as Described).default === undefined);
  return Object.fromEntries(needed.map((key) => [key, sampleOf(properties[key], key)]));
}
