import { RowError } from './row.ts';

/** Finds the meaning of a word that a file has for a state. Throws for a word that is not known. */
export function meaningOf<M extends string>(
  column: string,
  word: string | undefined,
  meanings: Readonly<Record<M, readonly string[]>>,
): M {
  const folded = (word ?? '').trim().toLowerCase();
  // `Object.entries` types the keys of `meanings` as plain strings.
  for (const [meaning, words] of Object.entries(meanings) as [M, readonly string[]][]) {
    if (words.includes(folded)) return meaning;
  }
  throw new RowError(word ? `${column} "${word}" is not known` : `${column} is empty`);
}

/** Whether a cell says yes. */
export function saysYes(text: string | undefined): boolean {
  return ['yes', 'true', '1', 'paid', 'y'].includes((text ?? '').toLowerCase());
}

/** The value of a parameter of a link, such as `?via=ann`. */
export function parameterOf(link: string | undefined, name: string): string | undefined {
  if (!link || !URL.canParse(link)) return undefined;
  return new URL(link).searchParams.get(name) ?? undefined;
}

/** `Ann` and `Lee` as one name; undefined where both are missing. */
export function fullName(...parts: (string | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(' ') || undefined;
}
