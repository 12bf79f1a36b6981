import type { ComponentChildren } from 'preact';
import { t, type WordKey } from '../words.ts';

/** Not part of any message. */
const MARK = '\u0001';

/** A message with components at its placeholders, such as emphasised amounts. */
export function rich(key: WordKey, parts: Record<string, ComponentChildren>): ComponentChildren {
  const marked = Object.fromEntries(Object.keys(parts).map((name) => [name, MARK + name + MARK]));
  // Every second piece is the name of a placeholder.
  return t(key, marked)
    .split(MARK)
    .map((piece, i) => (i % 2 === 1 ? parts[piece] : piece));
}
