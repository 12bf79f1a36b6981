import type { Reader, Transaction } from '../../../db/database.ts';
import { windowAt, type DayRange, type RewardRule } from '../../rewards/index.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import { findLimitedOf, saveLimited, sumLimited, type LimitedReward } from './fact-rows.ts';

/** What a limit asks of an order. */
type Limited = Pick<PreparedOrder, 'customerHash' | 'day'>;

/** A sum that counts on a day. */
export interface Delta {
  readonly day: string;
  readonly amount: number;
}

/**
 * What rules that limit a sum have earned, for each customer or affiliate. It reads that once for all orders of a
 * transaction; an order also sees what the orders before it have earned.
 */
export class RewardLimits {
  /** By rule, subject and window, what was earned before this transaction. */
  readonly #spent = new Map<string, number>();
  /** By rule and subject, what this transaction adds. */
  readonly #added = new Map<string, Delta[]>();
  /** By order, coupon and rule, what is recorded. */
  readonly #recorded = new Map<string, LimitedReward>();

  async read(
    db: Reader,
    rules: readonly RewardRule[],
    orders: readonly PreparedOrder[],
    affiliateIds: ReadonlySet<number>,
  ): Promise<void> {
    const limits = limitsOf(rules);
    if (limits.length === 0) return;
    await this.readRecorded(db, [...new Set(orders.map((o) => o.orderId))]);
    for (const { id, limit } of limits) {
      const windows = new Map<string, { range: DayRange; subjects: Set<string> }>();
      for (const order of orders) {
        const range = windowAt(limit.window!, order.day);
        const key = keyOf(range);
        const { subjects } = windows.get(key) ?? { subjects: new Set<string>() };
        for (const affiliate of affiliateIds) {
          const subject = subjectOf(limit, order, affiliate);
          if (subject !== undefined) subjects.add(subject);
        }
        windows.set(key, { range, subjects });
      }
      for (const [key, { range, subjects }] of windows) {
        const params = { rule_id: id, subjects: JSON.stringify([...subjects]), ...range };
        for (const { subject, amount } of await sumLimited(db, params)) {
          this.#spent.set(`${id} ${subject} ${key}`, amount);
        }
      }
    }
  }

  /** Reads what is recorded for orders, which is enough to record them again. */
  async readRecorded(db: Reader, orderIds: readonly number[]): Promise<void> {
    for (const row of await findLimitedOf(db, orderIds)) {
      this.#recorded.set(`${row.order_id} ${row.coupon_id} ${row.rule_id}`, row);
    }
  }

  /** By rule, what it has earned for the customer or the affiliate, without this order. */
  spentBefore(
    rules: readonly RewardRule[],
    order: PreparedOrder,
    affiliate: number,
  ): Record<string, number> {
    const spent: Record<string, number> = {};
    for (const { id, limit } of limitsOf(rules)) {
      const subject = subjectOf(limit, order, affiliate);
      if (subject === undefined) continue;
      const range = windowAt(limit.window!, order.day);
      spent[id] = this.#spent.get(`${id} ${subject} ${keyOf(range)}`) ?? 0;
      for (const { day, amount } of this.#added.get(`${id} ${subject}`) ?? []) {
        if (day >= range.first && day <= range.last) spent[id] += amount;
      }
      for (const own of this.#recorded.values()) {
        const isCounted = own.order_id === order.orderId && own.rule_id === id;
        if (!isCounted || own.subject !== subject) continue;
        if (own.day >= range.first && own.day <= range.last) spent[id] -= own.amount;
      }
    }
    return spent;
  }

  /** Records what rules earn for a referral; a refund that lowers it leaves more for later orders. */
  note(
    tx: Transaction,
    rules: readonly RewardRule[],
    order: Limited,
    referral: ReferralRow,
    earned: ReadonlyMap<number, number> | undefined,
  ): void {
    for (const { id, limit } of limitsOf(rules)) {
      const { order_id, coupon_id } = referral;
      const key = `${order_id} ${coupon_id} ${id}`;
      const known = this.#recorded.get(key);
      const amount = Math.min(earned?.get(id) ?? 0, referral.commission);
      const subject = subjectOf(limit, order, referral.user_id) ?? known?.subject;
      if (subject === undefined || (!known && amount === 0)) continue;
      const row = { order_id, coupon_id, rule_id: id, subject, day: order.day, amount };
      // The customer of an order may have changed.
      if (known) this.#add(known, -1);
      this.#add(row, 1);
      this.#recorded.set(key, row);
      saveLimited(tx, row);
    }
  }

  #add({ rule_id, subject, day, amount }: LimitedReward, sign: 1 | -1): void {
    listIn(this.#added, `${rule_id} ${subject}`).push({ day, amount: sign * amount });
  }
}

interface LimitedRule {
  readonly id: number;
  readonly limit: NonNullable<RewardRule['limit']>;
}

/** Every order asks, and the lists of terms stay the same. */
const limits = new WeakMap<readonly RewardRule[], readonly LimitedRule[]>();

/** The limits of a sum. */
export function limitsOf(rules: readonly RewardRule[]): readonly LimitedRule[] {
  let found = limits.get(rules);
  if (!found) {
    found = rules.flatMap(({ id, limit }) => (limit?.amount === undefined ? [] : [{ id, limit }]));
    limits.set(rules, found);
  }
  return found;
}

function keyOf({ first, last }: DayRange): string {
  return `${first} ${last}`;
}

/** Whom a limit is for; undefined for a limit per customer on an order without one. */
export function subjectOf(
  { per }: NonNullable<RewardRule['limit']>,
  { customerHash }: Pick<PreparedOrder, 'customerHash'>,
  affiliate: number,
): string | undefined {
  if (per === 'affiliate') return `user ${affiliate}`;
  return customerHash === null ? undefined : `customer ${customerHash}`;
}

/** The list of a key, which is made if there is none. */
export function listIn<K, V>(map: Map<K, V[]>, key: K): V[] {
  let list = map.get(key);
  if (!list) map.set(key, (list = []));
  return list;
}
