import type { Operation } from '../../kernel/declare/operation.ts';

const DIGITS = /^[1-9]\d{0,15}$/;

/**
 * Whether a part of a path is an id: digits without sign, leading zero or fraction, and no more than
 * a number holds exactly. With anything else in its place the path is an unknown one.
 */
export function isPathId(text: string): boolean {
  return DIGITS.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
}

/** The parameters of an operation's path that are ids. */
export function idNamesOf({ params }: Operation): string[] {
  return Object.entries(params?.properties ?? {})
    .filter(([, schema]) => (schema as { type?: string }).type === 'integer')
    .map(([name]) => name);
}
