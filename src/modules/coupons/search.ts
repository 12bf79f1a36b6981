/** A pattern for `like … escape '\'` that finds texts with this part; without one there is no filter. */
export function containing(part: string | undefined): string | undefined {
  if (!part) return undefined;
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
