/** With more rows than this, rows that come in the reverse order would take longer than sorting all of them. */
const CHOSEN_MAX = 100;

/** The first rows in an order: without sorting all of them if few are wanted. */
export function firstOf<T>(
  rows: readonly T[],
  compare: (a: T, b: T) => number,
  wanted: number,
): T[] {
  if (wanted > CHOSEN_MAX) return rows.toSorted(compare).slice(0, wanted);
  const first: T[] = [];
  for (const row of rows) {
    const isFull = first.length === wanted;
    if (isFull && (wanted === 0 || compare(row, first.at(-1)!) >= 0)) continue;
    if (isFull) first.pop();
    let place = first.length;
    while (place > 0 && compare(row, first[place - 1]!) < 0) place--;
    first.splice(place, 0, row);
  }
  return first;
}
