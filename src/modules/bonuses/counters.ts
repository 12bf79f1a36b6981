import type { Reader } from '../../db/database.ts';
import { collectedColumn, sumCollected } from '../orders/index.ts';
import type { DayRange, RewardCounter } from '../rewards/index.ts';

/** A counter over some days. */
interface CountedDays extends Pick<RewardCounter, 'by' | 'counts'>, DayRange {}

/** What a counter has to reach in a range of days. Amounts are minor units. */
export interface Goal extends CountedDays {
  readonly at: number;
}

/** What affiliates have collected in some ranges of days. */
export class Counters {
  readonly #sums = new Map<string, Awaited<ReturnType<typeof sumCollected>>[number]>();

  /** Reads all ranges of all affiliates at once. */
  static async read(
    db: Reader,
    wanted: Iterable<DayRange>,
    userIds: readonly number[],
  ): Promise<Counters> {
    const counters = new Counters();
    const asked = rangesOf(wanted).flatMap((range) =>
      userIds.map((user_id) => ({ user_id, ...range })),
    );
    for (const row of await sumCollected(db, asked)) {
      counters.#sums.set(sumKey(row.user_id, row), row);
    }
    return counters;
  }

  valueOf(userId: number, counted: CountedDays): number {
    return this.#sums.get(sumKey(userId, counted))?.[collectedColumn(counted)] ?? 0;
  }
}

/** Each of the ranges once. */
export function rangesOf(wanted: Iterable<DayRange>): DayRange[] {
  const ranges = Array.from(wanted, ({ first, last }) => ({ first, last }));
  return [...new Map(ranges.map((range) => [sumKey(0, range), range])).values()];
}

/** Identifies what an affiliate has in a range of days. */
export function sumKey(userId: number, { first, last }: DayRange): string {
  return `${userId} ${first} ${last}`;
}
