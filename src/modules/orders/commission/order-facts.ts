import type { Reader } from '../../../db/database.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import {
  askedBy,
  asksForCustomer,
  asksForHistory,
  isFor,
  windowAt,
  type Asked,
  type DayRange,
  type RewardCounter,
  type RewardRule,
} from '../../rewards/index.ts';
import { customerKeyOf } from '../customers/customer-key.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import type { StoredFacts } from './facts.ts';
import {
  countNewCustomers,
  findGroupsOf,
  creditedOrdersOf,
  ordersOfCustomers,
  sumCollected,
  type CustomerOrder,
} from './fact-rows.ts';
import { isGranted } from './referral-terms.ts';
import { limitsOf, listIn, RewardLimits, type Delta } from './reward-limits.ts';

/** Whom the facts are about. */
export interface Credited {
  readonly affiliate: number;
  readonly coupon: number;
  /** The payment of a subscription that the order is; undefined for an order without one. */
  readonly payment: { readonly number: number; readonly startedOn: string } | undefined;
}

const NEVER_PAID = new Set(['cancelled', 'failed']);

/**
 * Finds what rules ask of the moment in which an order comes in. It reads that once for all orders of a transaction;
 * an order also sees what the orders before it have changed. Without rules that ask, it reads nothing.
 */
export class OrderFacts {
  readonly #groups = new Map<number, number[]>();
  readonly #customers = new Map<string, CustomerOrder[]>();
  readonly #customerOf = new Map<number, string>();
  /** By counter and window, then by affiliate: what was collected before this transaction. */
  readonly #collected = new Map<string, Map<number, number>>();
  /** By coupon and counter, what this transaction adds. */
  readonly #added = new Map<string, Delta[]>();
  readonly #ownerOf = new Map<number, number>();
  /** The affiliates for whom rules count. */
  readonly #counted = new Set<number>();
  readonly limits = new RewardLimits();

  static async read(
    db: Reader,
    rules: readonly RewardRule[],
    orders: readonly PreparedOrder[],
    affiliateIds: ReadonlySet<number>,
  ): Promise<OrderFacts> {
    const facts = new OrderFacts();
    if (rules.length === 0) return facts;
    const needsGroups = rules.some(({ who }) => who.groups);
    await Promise.all([
      needsGroups && facts.#readGroups(db, affiliateIds),
      rules.some(asksForCustomer) && facts.#readCustomers(db, rules, orders),
      facts.#readCounters(db, rules, orders, affiliateIds),
      facts.limits.read(db, rules, orders, affiliateIds),
    ]);
    return facts;
  }

  /** What the rules ask; undefined if that is nothing. */
  of(
    rules: readonly RewardRule[],
    order: PreparedOrder,
    { affiliate, coupon, payment }: Credited,
  ): StoredFacts | undefined {
    if (rules.length === 0 && !payment) return undefined;
    this.#ownerOf.set(coupon, affiliate);
    const facts: { -readonly [K in keyof StoredFacts]: StoredFacts[K] } = {};
    if (payment) {
      facts.payment = payment.number;
      facts.started = payment.startedOn;
    }
    const asked = askedBy(rules);
    const groups = (asked.groups && this.#groups.get(affiliate)) || [];
    if (groups.length > 0) facts.groups = groups;
    if (asked.customers) {
      const known = this.#customers.get(order.customerHash ?? '') ?? [];
      Object.assign(facts, historyOf(earlierOf(known, order), order, payment, asked));
    }
    for (const { id, who, steps } of asked.counters) {
      if (!isFor(who, { affiliate, coupon, groups })) continue;
      facts.counters = { ...facts.counters, [id]: this.#collectedBy(affiliate, steps, order.day) };
    }
    if (limitsOf(rules).length > 0) {
      const spent = this.limits.spentBefore(rules, order, affiliate);
      if (Object.keys(spent).length > 0) facts.spent = spent;
    }
    return Object.keys(facts).length > 0 ? facts : undefined;
  }

  /** Notes a stored order, for the orders that follow. It may have had another customer before. */
  noteOrder({ customerHash, orderId, placedAtMs, day, status }: PreparedOrder, credited: boolean) {
    if (this.#customers.size === 0) return;
    const before = this.#customers.get(this.#customerOf.get(orderId) ?? '') ?? [];
    const i = before.findIndex((one) => one.order_id === orderId);
    if (i !== -1) before.splice(i, 1);
    if (customerHash === null) return;
    this.#customerOf.set(orderId, customerHash);
    this.#customers.get(customerHash)?.push({
      customer_hash: customerHash,
      order_id: orderId,
      placed_at: placedAtMs,
      day,
      status,
      credited: credited ? 1 : 0,
    });
  }

  /** Notes a settled referral, for the orders that follow. */
  noteReferral(before: ReferralRow | undefined, after: ReferralRow): void {
    if (this.#collected.size === 0) return;
    if (before) this.#collect(before, -1);
    this.#collect(after, 1);
  }

  async #readGroups(db: Reader, affiliateIds: ReadonlySet<number>): Promise<void> {
    for (const { user_id, group_id } of await findGroupsOf(db, [...affiliateIds])) {
      listIn(this.#groups, user_id).push(group_id);
    }
  }

  async #readCustomers(
    db: Reader,
    rules: readonly RewardRule[],
    orders: readonly PreparedOrder[],
  ): Promise<void> {
    const ordersOf = rules.some(asksForHistory) ? creditedOrdersOf : ordersOfCustomers;
    const hashes = new Set(orders.map(({ customerHash }) => customerHash));
    hashes.delete(null);
    for (const hash of hashes) this.#customers.set(hash!, []);
    const keys = new Set(Array.from(this.#customers.keys(), customerKeyOf));
    for (const row of await db.allByKeys(ordersOf, [...keys])) {
      this.#customers.get(row.customer_hash)?.push(row);
      this.#customerOf.set(row.order_id, row.customer_hash);
    }
  }

  async #readCounters(
    db: Reader,
    rules: readonly RewardRule[],
    orders: readonly PreparedOrder[],
    affiliateIds: ReadonlySet<number>,
  ): Promise<void> {
    const days = new Set(orders.map(({ day }) => day));
    const ranges = new Map<
      string,
      { range: DayRange; countsCustomers: boolean; affiliates: Set<number> }
    >();
    for (const { who, rate } of rules) {
      if (!rate.steps) continue;
      const { by, window } = rate.steps;
      // The owners of coupons and the groups of affiliates are read at the same time.
      const concerned = who.affiliates?.filter((id) => affiliateIds.has(id)) ?? affiliateIds;
      for (const day of days) {
        const range = windowAt(window, day);
        const countsCustomers = by === 'new_customers';
        const key = `${range.first} ${range.last} ${countsCustomers}`;
        const affiliates = ranges.get(key)?.affiliates ?? new Set<number>();
        for (const id of concerned) {
          affiliates.add(id);
          this.#counted.add(id);
        }
        ranges.set(key, { range, countsCustomers, affiliates });
      }
    }
    await Promise.all(
      Array.from(ranges.values(), async ({ range, countsCustomers, affiliates }) => {
        if (affiliates.size === 0) return;
        const user_ids = jsonList([...affiliates]);
        if (countsCustomers) {
          for (const row of await countNewCustomers(db, { ...range, user_ids })) {
            this.#addCollected('new_customers', range, row.user_id, row);
          }
          return;
        }
        for (const row of await sumCollected(db, { ...range, user_ids })) {
          this.#ownerOf.set(row.coupon_id, row.user_id);
          for (const by of ['orders', 'sales', 'commission'] as const) {
            const sums = { counted: row[by], granted: row[`granted_${by}`] };
            this.#addCollected(by, range, row.user_id, sums);
          }
        }
      }),
    );
  }

  #addCollected(
    by: RewardCounter['by'],
    { first, last }: DayRange,
    affiliate: number,
    sums: Record<RewardCounter['counts'], number>,
  ): void {
    for (const counts of ['counted', 'granted'] as const) {
      const key = `${by} ${counts} ${first} ${last}`;
      let ofAffiliates = this.#collected.get(key);
      if (!ofAffiliates) this.#collected.set(key, (ofAffiliates = new Map<number, number>()));
      ofAffiliates.set(affiliate, (ofAffiliates.get(affiliate) ?? 0) + sums[counts]);
    }
  }

  #collectedBy(affiliate: number, { by, counts, window }: RewardCounter, day: string): number {
    const { first, last } = windowAt(window, day);
    let sum = this.#collected.get(`${by} ${counts} ${first} ${last}`)?.get(affiliate) ?? 0;
    for (const { day: on, amount } of this.#added.get(`${affiliate} ${by} ${counts}`) ?? []) {
      if (on >= first && on <= last) sum += amount;
    }
    return sum;
  }

  #collect(referral: ReferralRow, sign: 1 | -1): void {
    if (referral.counted === 0) return;
    const { day, sales, commission, coupon_id, user_id } = referral;
    const affiliate = this.#ownerOf.get(coupon_id) ?? user_id;
    if (!this.#counted.has(affiliate)) return;
    for (const [by, amount] of Object.entries({ orders: 1, sales, commission })) {
      const delta = { day, amount: sign * amount };
      listIn(this.#added, `${affiliate} ${by} counted`).push(delta);
      if (isGranted(referral)) listIn(this.#added, `${affiliate} ${by} granted`).push(delta);
    }
  }
}

/** Whether an order counts among those of its customer. */
export function isPaidOrder({ status }: Pick<CustomerOrder, 'status'>): boolean {
  return !NEVER_PAID.has(status);
}

/** The orders of a customer before one, without those that were never paid. */
export interface EarlierOrders {
  readonly orders: number;
  readonly credited: number;
  /** The day of the first one that was credited. */
  readonly since: string | null;
}

export const NO_EARLIER: EarlierOrders = { orders: 0, credited: 0, since: null };

/** The orders before one, with another one that follows them. */
export function withOrder(
  { orders, credited, since }: EarlierOrders,
  next: Pick<CustomerOrder, 'status' | 'day' | 'credited'>,
): EarlierOrders {
  if (!isPaidOrder(next)) return { orders, credited, since };
  const isFirst = next.credited === 1 && (since === null || next.day < since);
  return {
    orders: orders + 1,
    credited: credited + next.credited,
    since: isFirst ? next.day : since,
  };
}

/** `known`: all orders of the customer. */
function earlierOf(
  known: readonly CustomerOrder[],
  { placedAtMs, orderId }: PreparedOrder,
): EarlierOrders {
  return known
    .filter(
      (one) =>
        one.order_id !== orderId &&
        (one.placed_at < placedAtMs || (one.placed_at === placedAtMs && one.order_id < orderId)),
    )
    .reduce(withOrder, NO_EARLIER);
}

/** What the orders of a customer before this one say. */
export function historyOf(
  { orders, credited, since }: EarlierOrders,
  { customerHash, day }: Pick<PreparedOrder, 'customerHash' | 'day'>,
  payment: Credited['payment'],
  asked: Asked,
): Partial<StoredFacts> {
  if (customerHash === null) {
    return payment && asked.history ? { nth: payment.number, since: payment.startedOn } : {};
  }
  const customer = orders > 0 ? 'repeat' : 'first';
  if (!asked.history) return { customer };
  return {
    customer,
    nth: payment?.number ?? credited + 1,
    since: since !== null && since < day ? since : day,
  };
}
