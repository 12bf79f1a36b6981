import type { Reader } from '../../../db/database.ts';
import { askedBy, windowAt, type RewardCounter } from '../../rewards/index.ts';
import type { FactSource, SumsAsked } from '../commission/ask-facts.ts';
import type { DecidedOrder } from '../commission/decide-referrals.ts';
import {
  collectedColumn,
  findGroupsOf,
  sumCollected,
  sumLimited,
  type AskedDays,
  type AskedLimit,
  type CollectedColumn,
} from '../commission/fact-rows.ts';
import { isGranted } from '../commission/referral-terms.ts';
import { limitsOf, listIn, subjectOf } from '../commission/reward-limits.ts';
import type { Terms } from '../commission/terms.ts';
import type { EarlierOrders } from '../customers/customer-orders.ts';
import type { EarningOrder, PreparedOrder } from '../order-input.ts';
import type { Place } from '../order-place.ts';
import { DaySums } from './day-sums.ts';
import { TrialCustomers } from './trial-customers.ts';
import type { TrialRow } from './trial-rows.ts';

/** A stored order, as far as it decides what it earns. */
export type TriedOrder = EarningOrder & DecidedOrder & Pick<PreparedOrder, 'storeId' | 'status'>;

/** A referral with its order, and the terms that decide. */
export interface Tried {
  readonly row: TrialRow;
  readonly order: TriedOrder;
  terms: Terms;
}

const collectedColumns = [
  'earning_orders',
  'earning_sales',
  'total_commission',
  'new_customers',
  'granted_orders',
  'granted_sales',
  'granted_commission',
  'granted_customers',
] as const satisfies readonly CollectedColumn[];

/**
 * What rules ask, if the orders of a period counted again as they were placed: what is before the period is stored, the
 * rest is what this trial has computed so far.
 */
export class TrialFacts implements FactSource<TriedOrder> {
  readonly #db: Reader;
  /** The first day of the period, and the last one before it. */
  readonly #first: string;
  readonly #before: string;
  readonly #asksCustomers: boolean;
  readonly #groups = new Map<number, number[]>();
  readonly #customers: TrialCustomers;
  /** Orders of the page that are the first of their customer. */
  #firstOrders = new Set<number>();
  #askedDays: AskedDays[] = [];
  #askedLimits: AskedLimit[] = [];
  readonly #storedDays = new Map<string, Partial<Record<CollectedColumn, number>>>();
  readonly #storedLimits = new Map<string, number>();
  readonly #collected = new Map<number, DaySums>();
  readonly #limited = new Map<string, DaySums>();

  /** `asksCustomers`: a rule asks for customers, or counts new ones. */
  constructor(db: Reader, first: string, asksCustomers: boolean) {
    this.#db = db;
    this.#first = first;
    this.#before = windowAt({ kind: 'days', days: 2 }, first).first;
    this.#asksCustomers = asksCustomers;
    this.#customers = new TrialCustomers(db);
  }

  /** Begins a page of referrals. `places`: their orders, and those between that earn nothing. */
  async readPage(tried: readonly Tried[], places: readonly Place[]): Promise<void> {
    this.#firstOrders = new Set();
    await this.#readGroups(tried);
    const asks = this.#asksCustomers || tried.some(({ terms }) => askedBy(terms.rules).customers);
    await this.#customers.read(places, tried, asks);
  }

  groupsOf(affiliate: number): readonly number[] {
    return this.#groups.get(affiliate) ?? [];
  }

  earlier({ customerHash }: TriedOrder): EarlierOrders {
    return this.#customers.before(customerHash);
  }

  askSums({ rules, order, affiliate }: SumsAsked<TriedOrder>): void {
    const last = this.#before;
    for (const { rate } of rules) {
      if (!rate.steps) continue;
      const { first } = windowAt(rate.steps.window, order.day);
      const key = `${affiliate} ${first}`;
      if (first >= this.#first || this.#storedDays.has(key)) continue;
      this.#storedDays.set(key, {});
      this.#askedDays.push({ user_id: affiliate, first, last });
    }
    for (const { id, limit } of limitsOf(rules)) {
      const subject = subjectOf(limit, order, affiliate);
      const { first } = windowAt(limit.window!, order.day);
      const key = `${id} ${first} ${subject}`;
      if (subject === undefined || first >= this.#first || this.#storedLimits.has(key)) continue;
      this.#storedLimits.set(key, 0);
      this.#askedLimits.push({ rule_id: id, subject, first, last });
    }
  }

  /** Reads the sums of windows that began before the period. */
  async readSums(): Promise<void> {
    const [days, limits] = [this.#askedDays, this.#askedLimits];
    [this.#askedDays, this.#askedLimits] = [[], []];
    for (const row of await sumCollected(this.#db, days)) {
      this.#storedDays.set(`${row.user_id} ${row.first}`, row);
    }
    for (const { rule_id, first, subject, amount } of await sumLimited(this.#db, limits)) {
      this.#storedLimits.set(`${rule_id} ${first} ${subject}`, amount);
    }
  }

  collected(affiliate: number, counter: RewardCounter, day: string): number {
    const { first } = windowAt(counter.window, day);
    const column = collectedColumn(counter);
    const tried = this.#collected.get(affiliate)?.since(first, collectedColumns.indexOf(column));
    return (tried ?? 0) + (this.#storedDays.get(`${affiliate} ${first}`)?.[column] ?? 0);
  }

  spent({ rules, order, affiliate }: SumsAsked<TriedOrder>): Record<string, number> {
    const spent: Record<string, number> = {};
    for (const { id, limit } of limitsOf(rules)) {
      const subject = subjectOf(limit, order, affiliate);
      if (subject === undefined) continue;
      const { first } = windowAt(limit.window!, order.day);
      const tried = this.#limited.get(`${id} ${subject}`)?.since(first) ?? 0;
      spent[id] = tried + (this.#storedLimits.get(`${id} ${first} ${subject}`) ?? 0);
    }
    return spent;
  }

  /** The rules of all referrals of an order were found: goes on to the next one. */
  noteOrder(orderId: number): void {
    if (this.#customers.note(orderId)) this.#firstOrders.add(orderId);
  }

  /** Notes what a referral would have earned, for the orders that follow. */
  noteEarned(
    { row, order, terms }: Tried,
    commission: number,
    earned: ReadonlyMap<number, number> | undefined,
  ): void {
    if (earned && earned.size > 0) {
      for (const { id, limit } of limitsOf(terms.rules)) {
        const amount = Math.min(earned.get(id) ?? 0, commission);
        const subject = subjectOf(limit, order, row.user_id);
        if (amount === 0 || subject === undefined) continue;
        sumsOf(this.#limited, `${id} ${subject}`, 1).add(order.day, [amount]);
      }
    }
    if (row.counted === 0 || row.state === 'void') return;
    const isNew = this.#firstOrders.has(order.orderId) ? 1 : 0;
    const amounts = [1, row.sales, commission, isNew];
    const granted = isGranted(row) ? amounts : [0, 0, 0, 0];
    const sums = sumsOf(this.#collected, row.user_id, collectedColumns.length);
    sums.add(order.day, [...amounts, ...granted]);
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
}

function sumsOf<K>(sums: Map<K, DaySums>, key: K, width: number): DaySums {
  let found = sums.get(key);
  if (!found) sums.set(key, (found = new DaySums(width)));
  return found;
}
