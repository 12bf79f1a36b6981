import type { Reader } from '../../db/database.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import { countNewCustomers, sumCollected } from '../orders/index.ts';
import type { CountedDays, counterValues } from '../rewards/index.ts';

/** What a counter has to reach in a range of days. Amounts are minor units. */
export interface Goal extends CountedDays {
  readonly at: number;
}

/** What affiliates have collected in some ranges of days. */
export class Counters {
  readonly #values = new Map<string, number>();

  /** Reads each range once, for all affiliates. */
  static async read(
    db: Reader,
    wanted: Iterable<Pick<CountedDays, 'by' | 'first' | 'last'>>,
    userIds: readonly number[],
  ): Promise<Counters> {
    const counters = new Counters();
    const user_ids = jsonList(userIds);
    const read = new Set<string>();
    for (const { by, first, last } of wanted) {
      const ofCustomers = by === 'new_customers';
      const key = `${ofCustomers} ${first} ${last}`;
      if (read.has(key)) continue;
      read.add(key);
      const range = { first, last };
      if (ofCustomers) {
        for (const row of await countNewCustomers(db, { ...range, user_ids })) {
          counters.#add({ ...range, by, counts: 'counted' }, row.user_id, row.counted);
          counters.#add({ ...range, by, counts: 'granted' }, row.user_id, row.granted);
        }
        continue;
      }
      for (const row of await sumCollected(db, { ...range, user_ids })) {
        for (const sum of ['orders', 'sales', 'commission'] as const) {
          counters.#add({ ...range, by: sum, counts: 'counted' }, row.user_id, row[sum]);
          const granted = row[`granted_${sum}`];
          counters.#add({ ...range, by: sum, counts: 'granted' }, row.user_id, granted);
        }
      }
    }
    return counters;
  }

  valueOf(userId: number, counted: CountedDays): number {
    return this.#values.get(keyOf(userId, counted)) ?? 0;
  }

  #add(counted: CountedDays, userId: number, amount: number): void {
    const key = keyOf(userId, counted);
    this.#values.set(key, (this.#values.get(key) ?? 0) + amount);
  }
}

export const readCounters: (typeof counterValues)['contributed'] = async (db, userId, asked) => {
  const counters = await Counters.read(db, asked, [userId]);
  return asked.map((counted) => counters.valueOf(userId, counted));
};

function keyOf(userId: number, { by, counts, first, last }: CountedDays): string {
  return `${userId} ${by} ${counts} ${first} ${last}`;
}
