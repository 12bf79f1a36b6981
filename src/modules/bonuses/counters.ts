import type { Reader } from '../../db/database.ts';
import { collectedColumn, sumCollected } from '../orders/index.ts';
import type { CountedDays, counterValues } from '../rewards/index.ts';

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
    wanted: Iterable<Pick<CountedDays, 'first' | 'last'>>,
    userIds: readonly number[],
  ): Promise<Counters> {
    const counters = new Counters();
    const ranges = new Map(
      Array.from(wanted, ({ first, last }) => [`${first} ${last}`, { first, last }]),
    );
    const asked = [...ranges.values()].flatMap((range) =>
      userIds.map((user_id) => ({ user_id, ...range })),
    );
    for (const row of await sumCollected(db, asked)) {
      counters.#sums.set(keyOf(row.user_id, row), row);
    }
    return counters;
  }

  valueOf(userId: number, counted: CountedDays): number {
    return this.#sums.get(keyOf(userId, counted))?.[collectedColumn(counted)] ?? 0;
  }
}

export const readCounters: (typeof counterValues)['contributed'] = async (db, userId, asked) => {
  const counters = await Counters.read(db, asked, [userId]);
  return asked.map((counted) => counters.valueOf(userId, counted));
};

function keyOf(userId: number, { first, last }: Pick<CountedDays, 'first' | 'last'>): string {
  return `${userId} ${first} ${last}`;
}
