/** A pattern for `like … escape '\'` that matches texts containing this part; undefined without one. */
export function containing(part: string | undefined): string | undefined {
  if (!part) return undefined;
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
