/** Sums by day, for days that are added in their order: what was collected since a day is found without adding it up. */
export class DaySums {
  readonly #width: number;
  readonly #days: string[] = [];
  /** For each day, the sums of all days until then. */
  readonly #sums: number[] = [];

  /** `width`: how many sums there are for each day. */
  constructor(width: number) {
    this.#width = width;
  }

  add(day: string, amounts: readonly number[]): void {
    const last = this.#sums.length - this.#width;
    if (this.#days.at(-1) === day) {
      for (const [i, amount] of amounts.entries()) this.#sums[last + i]! += amount;
      return;
    }
    this.#days.push(day);
    for (const [i, amount] of amounts.entries()) {
      this.#sums.push((last < 0 ? 0 : this.#sums[last + i]!) + amount);
    }
  }

  /** The sum of a day and all that follow. */
  since(day: string, column = 0): number {
    let [low, high] = [0, this.#days.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#days[middle]! < day) low = middle + 1;
      else high = middle;
    }
    const until = (days: number) =>
      days === 0 ? 0 : this.#sums[(days - 1) * this.#width + column]!;
    return until(this.#days.length) - until(low);
  }
}
