import { storableText } from '../../db/rows-query.ts';

/** A pattern for `like … escape '\'` that finds texts with this part; without one there is no filter. */
export function containing(part: string | undefined): string | undefined {
  if (!part) return undefined;
  // A pattern may end at the character 0, and would then find everything.
  return `%${storableText(part).replaceAll(/[\\%_]/g, '\\$&')}%`;
}
