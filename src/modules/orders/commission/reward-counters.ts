import type { Reader } from '../../../db/database.ts';
import { windowAt, type RewardCounter, type RewardRule } from '../../rewards/index.ts';
import type { ReferralRow } from '../order-rows.ts';
import { counterColumns } from '../tables.ts';
import { countersOf } from './counters-of.ts';
import { DayWindows } from './day-windows.ts';
import {
  collectedColumn,
  sumCollected,
  type AskedDays,
  type CollectedColumn,
} from './fact-rows.ts';

type Collected = Record<CollectedColumn, number>;

const NOTHING = {
  total_commission: 0,
  ...(Object.fromEntries(counterColumns.map((name) => [name, 0])) as Record<
    (typeof counterColumns)[number],
    number
  >),
};

/**
 * What affiliates have collected in the windows of steps. It is read once for all orders of a transaction, and only for
 * rules that match; an order also sees what the orders before it have changed.
 */
export class RewardCounters {
  readonly #collected = new DayWindows<Collected>();
  readonly #asked: AskedDays[] = [];

  ask(rules: readonly RewardRule[], day: string, affiliate: number): void {
    for (const { rate } of rules) {
      if (!rate.steps) continue;
      const range = windowAt(rate.steps.window, day);
      const isNew = this.#collected.begin(String(affiliate), range, NOTHING);
      if (isNew) this.#asked.push({ user_id: affiliate, ...range });
    }
  }

  async read(db: Reader): Promise<void> {
    for (const { user_id, first, last, ...sums } of await sumCollected(db, this.#asked)) {
      this.#collected.set(String(user_id), { first, last }, sums);
    }
  }

  valueOf(affiliate: number, counter: RewardCounter, day: string): number {
    const range = windowAt(counter.window, day);
    return this.#collected.get(String(affiliate), range)?.[collectedColumn(counter)] ?? 0;
  }

  /** Notes a settled referral, for the orders that follow. */
  noteReferral(before: ReferralRow | undefined, after: ReferralRow): void {
    if (this.#asked.length === 0) return;
    if (before) this.#collect(before, -1);
    this.#collect(after, 1);
  }

  #collect(referral: ReferralRow, sign: 1 | -1): void {
    const { counted, commission, user_id, day } = referral;
    if (counted === 0) return;
    const own: Collected = { total_commission: commission, ...countersOf(referral) };
    this.#collected.add(String(user_id), day, (sums) => {
      const next = { ...sums };
      for (const name in own) next[name as CollectedColumn] += sign * own[name as CollectedColumn];
      return next;
    });
  }
}
