/** A count with its noun: "1 order", "2 orders", "0 entries". */
export function countOf(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}
