import type { Reader } from '../../../db/database.ts';
import { windowAt, type RewardCounter, type RewardRule } from '../../rewards/index.ts';
import type { ReferralRow } from '../order-rows.ts';
import { countersOf } from './counters-of.ts';
import { DaySums } from './day-sums.ts';
import { collectedColumn, collectedColumns, sumCollected, type AskedDays } from './fact-rows.ts';

/**
 * What affiliates have collected in the windows of steps. It is read once for all orders of a transaction, and only for
 * rules that match; an order also sees what the orders before it have changed.
 */
export class RewardCounters {
  readonly #collected: DaySums;
  #asked: AskedDays[] = [];
  /** Whether anything asks for what referrals add: in a dry run, later orders may. */
  #isNeeded: boolean;

  /** `until`: for a dry run, the last day of which stored orders count. */
  constructor(until?: string) {
    this.#collected = new DaySums(collectedColumns.length, until);
    this.#isNeeded = until !== undefined;
  }

  ask(rules: readonly RewardRule[], day: string, affiliate: number): void {
    for (const { rate } of rules) {
      if (!rate.steps) continue;
      const range = windowAt(rate.steps.window, day);
      const stored = this.#collected.begin(String(affiliate), range);
      if (stored) this.#asked.push({ user_id: affiliate, ...stored });
      this.#isNeeded = true;
    }
  }

  async read(db: Reader): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    for (const { user_id, first, last, ...sums } of await sumCollected(db, asked)) {
      const columns = collectedColumns.map((name) => sums[name]);
      this.#collected.set(String(user_id), { first, last }, columns);
    }
  }

  valueOf(affiliate: number, { window, ...counter }: RewardCounter, day: string): number {
    const column = collectedColumns.indexOf(collectedColumn(counter));
    return this.#collected.get(String(affiliate), windowAt(window, day), column);
  }

  /** Notes a settled referral, for the orders that follow. */
  noteReferral(before: ReferralRow | undefined, after: ReferralRow): void {
    if (!this.#isNeeded) return;
    if (before) this.#collect(before, -1);
    this.#collect(after, 1);
  }

  #collect(referral: ReferralRow, sign: 1 | -1): void {
    const { counted, commission, user_id, day } = referral;
    if (counted === 0) return;
    const own = { total_commission: commission, ...countersOf(referral) };
    const amounts = collectedColumns.map((name) => sign * own[name]);
    this.#collected.add(String(user_id), day, amounts);
  }
}
