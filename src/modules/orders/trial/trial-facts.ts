import type { Reader } from '../../../db/database.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import { askedBy, windowAt, type RewardCounter } from '../../rewards/index.ts';
import {
  countNewCustomers,
  findGroupsOf,
  sumCollected,
  sumLimited,
} from '../commission/fact-rows.ts';
import type { Facts, StoredFacts } from '../commission/facts.ts';
import { historyOf } from '../commission/order-facts.ts';
import { isGranted } from '../commission/referral-terms.ts';
import { limitsOf, listIn, subjectOf } from '../commission/reward-limits.ts';
import type { EarningOrder, PreparedOrder } from '../order-input.ts';
import type { Terms } from '../commission/terms.ts';
import { DaySums } from './day-sums.ts';
import { TrialCustomers } from './trial-customers.ts';
import type { Place, TrialRow } from './trial-rows.ts';

/** What rules ask of an order itself. */
export type TriedOrder = EarningOrder & Pick<PreparedOrder, 'day' | 'customerHash'>;

/** A referral with its order, the owner that its coupon has now, and the terms that decide. */
export interface Tried {
  readonly row: TrialRow;
  readonly order: TriedOrder;
  readonly ownerId: number;
  terms: Terms;
}

/** What the rules of a trial count: the figures of all affiliates for steps, customers, and new ones. */
interface CountedByTrial {
  readonly steps: boolean;
  readonly customers: boolean;
  readonly newCustomers: boolean;
}

const kinds = ['orders', 'sales', 'commission', 'new_customers'] as const;
const columnOf = ({ by, counts }: RewardCounter) =>
  kinds.indexOf(by) + (counts === 'granted' ? kinds.length : 0);

/**
 * What rules ask of the moment in which an order would come in, if the orders of a period came in again as they were
 * placed: what is before the period is stored, the rest is what this trial has computed so far.
 */
export class TrialFacts {
  readonly #db: Reader;
  /** The first day of the period, and the last one before it. */
  readonly #first: string;
  readonly #before: string;
  readonly #counts: CountedByTrial;
  readonly #groups = new Map<number, number[]>();
  readonly #customers: TrialCustomers;
  readonly #stored = new Map<string, number>();
  readonly #collected = new Map<number, DaySums>();
  readonly #limited = new Map<string, DaySums>();

  constructor(db: Reader, first: string, counts: CountedByTrial) {
    this.#db = db;
    this.#first = first;
    this.#before = windowAt({ kind: 'days', days: 2 }, first).first;
    this.#counts = counts;
    this.#customers = new TrialCustomers(db);
  }

  /** Reads what the rules of some referrals ask. `places`: their orders, and those between that earn nothing. */
  async read(tried: readonly Tried[], places: readonly Place[]): Promise<void> {
    await this.#readGroups(tried);
    const asks = ({ terms }: Tried) => askedBy(terms.rules).customers;
    await this.#customers.read(places, tried, this.#counts.customers || tried.some(asks));
    for (const { sums, key, first, rule, ids } of this.#unread(tried).values()) {
      const until = { first, last: this.#before };
      if (sums === 'limit') {
        for (const id of ids) this.#stored.set(`${key} ${id}`, 0);
        const params = { ...until, rule_id: rule, subjects: JSON.stringify([...ids]) };
        for (const { subject, amount } of await sumLimited(this.#db, params)) {
          this.#stored.set(`${key} ${subject}`, amount);
        }
      } else await this.#readCollected(sums, key, until, ids);
    }
  }

  /** What the rules ask of an order; the same as when it comes in. */
  of({ row, order, terms: { rules } }: Tried): Facts {
    const { user_id: affiliate, coupon_id: coupon, via } = row;
    const facts: { -readonly [K in keyof Facts]: Facts[K] } = { affiliate, coupon, via };
    const payment = paymentOf(row, order);
    if (payment) {
      facts.payment = payment.number;
      facts.started = payment.startedOn;
    }
    const asked = askedBy(rules);
    if (asked.groups) facts.groups = this.#groups.get(affiliate) ?? [];
    if (asked.customers) {
      const earlier = this.#customers.before(order.customerHash);
      Object.assign(facts, historyOf(earlier, order, payment, asked));
    }
    const counters: Record<string, number> = {};
    for (const { id, steps } of asked.counters) {
      const { first } = windowAt(steps.window, order.day);
      counters[id] = this.#collected.get(affiliate)?.since(first, columnOf(steps)) ?? 0;
      if (first >= this.#first) continue;
      counters[id] += this.#stored.get(`${counterKey(steps, first)} ${affiliate}`) ?? 0;
    }
    facts.counters = counters;
    const spent: Record<string, number> = {};
    for (const { id, limit } of limitsOf(rules)) {
      const subject = subjectOf(limit, order, affiliate);
      if (subject === undefined) continue;
      const { first } = windowAt(limit.window!, order.day);
      spent[id] = this.#limited.get(`${id} ${subject}`)?.since(first) ?? 0;
      if (first >= this.#first) continue;
      spent[id] += this.#stored.get(`limit ${id} ${first} ${subject}`) ?? 0;
    }
    facts.spent = spent;
    return facts;
  }

  /** Notes what a referral would have earned, for the orders that follow. */
  note(
    { row, order, ownerId, terms }: Tried,
    commission: number,
    earned: ReadonlyMap<number, number> | undefined,
  ): void {
    for (const { id, limit } of limitsOf(terms.rules)) {
      const amount = Math.min(earned?.get(id) ?? 0, commission);
      if (amount === 0) continue;
      const subject = subjectOf(limit, order, row.user_id);
      if (subject === undefined) continue;
      sumsOf(this.#limited, `${id} ${subject}`, 1).add(order.day, [amount]);
    }
    if (!this.#counts.steps || row.counted === 0) return;
    const isNew = this.#counts.newCustomers && this.#isFirst(order) ? 1 : 0;
    const amounts = [1, row.sales, commission, isNew];
    const granted = isGranted(row) ? amounts : [0, 0, 0, 0];
    sumsOf(this.#collected, ownerId, 2 * kinds.length).add(order.day, [...amounts, ...granted]);
  }

  /** Whether it is the first order of a customer. */
  #isFirst({ customerHash }: TriedOrder): boolean {
    return customerHash !== null && this.#customers.before(customerHash).orders === 0;
  }

  /** All referrals of an order were noted: goes on to the next one. */
  noteOrder(orderId: number): void {
    this.#customers.note(orderId);
  }

  async #readGroups(tried: readonly Tried[]): Promise<void> {
    const ids = new Set<number>();
    for (const { row, terms } of tried) {
      if (!askedBy(terms.rules).groups || this.#groups.has(row.user_id)) continue;
      ids.add(row.user_id);
      this.#groups.set(row.user_id, []);
    }
    if (ids.size === 0) return;
    for (const { user_id, group_id } of await findGroupsOf(this.#db, [...ids])) {
      listIn(this.#groups, user_id).push(group_id);
    }
  }

  /** The sums of windows that began before the period, and are not read yet. */
  #unread(tried: readonly Tried[]) {
    type Ids = Set<number | string>;
    const unread = new Map<
      string,
      { sums: 'limit' | RewardCounter; key: string; first: string; rule: number; ids: Ids }
    >();
    const ask = (
      sums: 'limit' | RewardCounter,
      rule: number,
      first: string,
      id: number | string,
    ) => {
      if (first >= this.#first) return;
      const key = sums === 'limit' ? `limit ${rule} ${first}` : counterKey(sums, first);
      if (this.#stored.has(`${key} ${id}`)) return;
      const known = unread.get(key);
      if (known) known.ids.add(id);
      else unread.set(key, { sums, key, first, rule, ids: new Set([id]) });
    };
    for (const { row, order, terms } of tried) {
      for (const { id, steps } of askedBy(terms.rules).counters) {
        ask(steps, id, windowAt(steps.window, order.day).first, row.user_id);
      }
      for (const { id, limit } of limitsOf(terms.rules)) {
        const subject = subjectOf(limit, order, row.user_id);
        if (subject !== undefined) {
          ask('limit', id, windowAt(limit.window!, order.day).first, subject);
        }
      }
    }
    return unread;
  }

  async #readCollected(
    counter: RewardCounter,
    key: string,
    range: { first: string; last: string },
    ids: ReadonlySet<number | string>,
  ): Promise<void> {
    for (const id of ids) this.#stored.set(`${key} ${id}`, 0);
    const { by, counts } = counter;
    const params = { ...range, user_ids: jsonList([...ids]) };
    const found =
      by === 'new_customers'
        ? (await countNewCustomers(this.#db, params)).map((row) => ({ ...row, sum: row[counts] }))
        : (await sumCollected(this.#db, params)).map((row) => ({
            ...row,
            sum: row[counts === 'granted' ? (`granted_${by}` as const) : by],
          }));
    for (const { user_id, sum } of found) {
      const place = `${key} ${user_id}`;
      this.#stored.set(place, this.#stored.get(place)! + sum);
    }
  }
}

function counterKey({ by, counts }: RewardCounter, first: string): string {
  return `${by} ${counts} ${first}`;
}

function sumsOf<K>(sums: Map<K, DaySums>, key: K, width: number): DaySums {
  let found = sums.get(key);
  if (!found) sums.set(key, (found = new DaySums(width)));
  return found;
}

/** The payment that an order was when it came in; undefined without a subscription. */
function paymentOf({ facts }: TrialRow, { subscription, day }: TriedOrder) {
  if (!subscription) return undefined;
  // Only facts are stored there.
  const stored = facts === null ? {} : (JSON.parse(facts) as StoredFacts);
  return {
    number: stored.payment ?? subscription.payment ?? (subscription.isRenewal ? 2 : 1),
    startedOn: stored.started ?? subscription.startedOn ?? day,
  };
}
