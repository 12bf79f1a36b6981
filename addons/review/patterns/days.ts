/** How many days before it a day is compared with. */
export const HISTORY_DAYS = 28;

/** The day that is judged, which is the last one, and up to 28 days before it. */
export function split<D>(days: readonly D[]): { today: D; history: readonly D[] } | undefined {
  const today = days.at(-1);
  return today && { today, history: days.slice(0, -1).slice(-HISTORY_DAYS) };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** 0 for no values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  // Sorts numbers many times as fast as a list with a function that compares.
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** What a day usually has: few large days raise the mean, many empty ones lower the median. */
export function usual(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(median(values), sum(values) / values.length);
}

/** A share as a whole percentage, for a sentence. */
export function percent(share: number): number {
  return Math.round(share * 100);
}

/** With one decimal, for a sentence. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
