import type { Operation } from '../../kernel/declare/operation.ts';

const DIGITS = /^[1-9]\d{0,15}$/;

/**
 * Whether a path segment is an id: digits without a sign, leading zero or fraction, up to the largest safe
 * integer. With any other segment in its place, the path is unknown.
 */
export function isPathId(text: string): boolean {
  return DIGITS.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
}

/** The names of the path parameters that are ids. */
export function idNamesOf({ params }: Operation): string[] {
  // `TSchema` declares no keywords.
  return Object.entries(params?.properties ?? {})
    .filter(([, schema]) => (schema as { type?: string }).type === 'integer')
    .map(([name]) => name);
}
