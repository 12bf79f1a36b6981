import type { DayRange } from '../../rewards/index.ts';

/** The days on which something was added, with the sums of each of them and all before: one after the other. */
interface Added {
  readonly days: string[];
  readonly sums: number[];
}

/** Sums of ranges of days, by subject: what is stored, and what was added since then. */
export class DaySums {
  readonly #width: number;
  readonly #until: string;
  readonly #stored = new Map<string, readonly number[]>();
  readonly #added = new Map<string, Added>();

  /** `width`: how many sums there are. `until`: the last day of which stored sums count. */
  constructor(width: number, until = '9999-12-31') {
    this.#width = width;
    this.#until = until;
  }

  /** The days of a range whose stored sums are to be read; undefined if they are known. */
  begin(subject: string, range: DayRange): DayRange | undefined {
    const stored = this.#storedDays(range);
    const key = keyOf(subject, stored);
    if (stored.first > stored.last || this.#stored.has(key)) return undefined;
    this.#stored.set(key, []);
    return stored;
  }

  set(subject: string, stored: DayRange, sums: readonly number[]): void {
    this.#stored.set(keyOf(subject, stored), sums);
  }

  add(subject: string, day: string, amounts: readonly number[]): void {
    let added = this.#added.get(subject);
    if (!added) this.#added.set(subject, (added = { days: [], sums: [] }));
    const { days, sums } = added;
    const i = daysBefore(days, day);
    const from = i * this.#width;
    if (days[i] !== day) {
      days.splice(i, 0, day);
      const before = amounts.map((_, column) => sums[from - this.#width + column] ?? 0);
      sums.splice(from, 0, ...before);
    }
    for (let at = from; at < sums.length; at++) sums[at]! += amounts[at % this.#width]!;
  }

  get(subject: string, range: DayRange, column = 0): number {
    const stored = this.#stored.get(keyOf(subject, this.#storedDays(range)))?.[column] ?? 0;
    const added = this.#added.get(subject);
    if (!added) return stored;
    const { days, sums } = added;
    const until = (count: number) => sums[(count - 1) * this.#width + column] ?? 0;
    const [first, last] = [daysBefore(days, range.first), daysBefore(days, range.last)];
    return stored + until(days[last] === range.last ? last + 1 : last) - until(first);
  }

  #storedDays({ first, last }: DayRange): DayRange {
    return { first, last: last < this.#until ? last : this.#until };
  }
}

function keyOf(subject: string, { first, last }: DayRange): string {
  return `${subject} ${first} ${last}`;
}

/** How many of some sorted days are before a day. */
function daysBefore(days: readonly string[], day: string): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
