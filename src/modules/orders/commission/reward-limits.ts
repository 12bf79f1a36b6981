import type { Reader } from '../../../db/database.ts';
import { windowAt, type RewardRule } from '../../rewards/index.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import { DaySums } from './day-sums.ts';
import { findLimitedOf, sumLimited, type AskedLimit, type LimitedReward } from './fact-rows.ts';

/** What a limit asks of an order. */
type Limited = Pick<PreparedOrder, 'customerHash' | 'day'>;

/** Rules with limits that an order asks for. */
interface LimitsAsked {
  readonly rules: readonly RewardRule[];
  readonly order: Limited & Pick<PreparedOrder, 'orderId'>;
  readonly earner: number;
  /** Undefined where the coupons of the order share one commission. */
  readonly coupon?: number | undefined;
}

/**
 * What rules that limit a sum have earned, for each customer or affiliate: always the current commission of the orders
 * that count. It is read once for all orders of a transaction, and only for rules that match; an order also sees what the
 * orders before it have earned.
 */
export class RewardLimits {
  readonly #spent: DaySums;
  #asked: AskedLimit[] = [];
  /** By order, what is recorded. */
  #recorded = new Map<number, LimitedReward[]>();

  /** `until`: for a dry run, the last day of which stored orders count. */
  constructor(until?: string) {
    this.#spent = new DaySums(1, until);
  }

  /** Asks for what some rules have earned before an order. */
  ask(rules: readonly RewardRule[], order: Limited, earner: number): void {
    for (const { id: rule_id, limit } of limitsOf(rules)) {
      const subject = subjectOf(limit, order, earner);
      if (subject === undefined) continue;
      const range = windowAt(limit.window!, order.day);
      const stored = this.#spent.begin(keyOf(rule_id, subject), range);
      if (stored) this.#asked.push({ rule_id, subject, ...stored });
    }
  }

  /** The rules and subjects to read, in one order: two transactions that lock them do not deadlock. */
  keys(): string[] {
    const keys = this.#asked.map(({ rule_id, subject }) => keyOf(rule_id, subject));
    return [...new Set(keys)].sort();
  }

  /** Reads what was asked, and what is recorded for orders that may change. */
  async read(db: Reader, changing: readonly number[]): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    this.#recorded = new Map();
    const [sums, recorded] = await Promise.all([
      sumLimited(db, asked),
      changing.length === 0 ? [] : findLimitedOf(db, changing),
    ]);
    for (const { rule_id, subject, first, last, amount } of sums) {
      this.#spent.set(keyOf(rule_id, subject), { first, last }, [amount]);
    }
    for (const row of recorded) listIn(this.#recorded, row.order_id).push(row);
  }

  /** By rule, what it has earned for the customer or the affiliate, without what this order holds. */
  spent(asked: LimitsAsked): Record<string, number> {
    return this.#sums(asked, (all, held) => all - held);
  }

  /** By rule, what is recorded for this order. */
  held(asked: LimitsAsked): Record<string, number> {
    return this.#sums(asked, (_all, held) => held);
  }

  #sums(
    { rules, order, earner, coupon }: LimitsAsked,
    of: (all: number, held: number) => number,
  ): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { id, limit } of limitsOf(rules)) {
      const subject = subjectOf(limit, order, earner);
      if (subject === undefined) continue;
      const range = windowAt(limit.window!, order.day);
      let held = 0;
      for (const own of this.#recorded.get(order.orderId) ?? []) {
        if (own.rule_id !== id || own.subject !== subject) continue;
        if (coupon !== undefined && own.coupon_id !== coupon) continue;
        if (own.day >= range.first && own.day <= range.last) held += own.amount;
      }
      sums[id] = of(this.#spent.get(keyOf(id, subject), range), held);
    }
    return sums;
  }

  /** Notes what rules earn for a referral, and returns it; a refund that lowers it leaves more for later orders. */
  note(
    rules: readonly RewardRule[],
    order: Limited,
    referral: ReferralRow,
    earned: ReadonlyMap<number, number> | undefined,
  ): LimitedReward[] {
    const limits = limitsById(rules);
    if (limits.size === 0) return [];
    const { order_id, coupon_id } = referral;
    if (!earned?.size && !this.#recorded.has(order_id)) return [];
    const recorded = listIn(this.#recorded, order_id);
    const ids = new Set(earned?.keys());
    const changed: LimitedReward[] = [];
    for (const one of recorded) if (one.coupon_id === coupon_id) ids.add(one.rule_id);
    for (const id of ids) {
      const limit = limits.get(id);
      if (!limit) continue;
      const i = recorded.findIndex((one) => one.coupon_id === coupon_id && one.rule_id === id);
      const known = recorded[i];
      const amount = Math.min(earned?.get(id) ?? 0, referral.commission);
      const subject = subjectOf(limit, order, referral.user_id) ?? known?.subject;
      if (subject === undefined || (!known && amount === 0)) continue;
      const row = { order_id, coupon_id, rule_id: id, subject, day: order.day, amount };
      // The customer of an order may have changed.
      if (known) this.#add(known, -known.amount);
      this.#add(row, amount);
      recorded[known ? i : recorded.length] = row;
      changed.push(row);
    }
    return changed;
  }

  #add({ rule_id, subject, day }: LimitedReward, amount: number): void {
    this.#spent.add(keyOf(rule_id, subject), day, [amount]);
  }
}

type Limit = NonNullable<RewardRule['limit']>;

/** The rules that limit a sum. */
export function limitsOf(rules: readonly RewardRule[]): { id: number; limit: Limit }[] {
  return rules.flatMap(({ id, limit }) => (limit?.amount === undefined ? [] : [{ id, limit }]));
}

/** Every order asks, and the lists of terms stay the same. */
const limitsOfTerms = new WeakMap<readonly RewardRule[], ReadonlyMap<number, Limit>>();

function limitsById(rules: readonly RewardRule[]): ReadonlyMap<number, Limit> {
  let found = limitsOfTerms.get(rules);
  if (!found) {
    found = new Map(limitsOf(rules).map(({ id, limit }) => [id, limit]));
    limitsOfTerms.set(rules, found);
  }
  return found;
}

function keyOf(ruleId: number, subject: string): string {
  return `limit ${ruleId} ${subject}`;
}

/** Whom a limit is for; undefined for a limit per customer on an order without one. */
function subjectOf(
  { per }: Limit,
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
