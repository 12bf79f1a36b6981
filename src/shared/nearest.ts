import { closest, distance } from 'fastest-levenshtein';

/** The known name a mistyped one most likely meant, or undefined when none is near. */
export function nearest(mistyped: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = closest(mistyped.toLowerCase(), known as string[]);
  return distance(mistyped.toLowerCase(), best.toLowerCase()) <= Math.max(2, best.length / 3)
    ? best
    : undefined;
}

/** `Did you mean X?`, or nothing. */
export function didYouMean(mistyped: string, known: readonly string[]): string {
  const best = nearest(mistyped, known);
  return best === undefined ? '' : ` Did you mean ${best}?`;
}
