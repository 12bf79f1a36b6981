import { closest, distance } from 'fastest-levenshtein';

/** A longer text matches no known name, and comparing it would take long. */
const LENGTH_MAX = 64;

/**
 * The known name that a mistyped one most likely meant; undefined when none is similar.
 *
 * @internal Exported for its test.
 */
export function nearest(mistyped: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || mistyped.length > LENGTH_MAX) return undefined;
  const word = mistyped.toLowerCase();
  const words = known.map((name) => name.toLowerCase());
  const best = words.indexOf(closest(word, words));
  return distance(word, words[best]!) <= Math.max(2, word.length / 3) ? known[best] : undefined;
}

/** `Did you mean X?`, or nothing. */
export function didYouMean(mistyped: string, known: readonly string[]): string {
  const best = nearest(mistyped, known);
  return best === undefined ? '' : ` Did you mean ${best}?`;
}
