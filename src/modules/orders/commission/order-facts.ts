import type { Reader } from '../../../db/database.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { askedBy, type RewardCounter } from '../../rewards/index.ts';
import {
  CustomerOrders,
  type AskedCustomer,
  type EarlierOrders,
  type KeptCustomers,
} from '../customers/customer-orders.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { OrderRow } from '../order-rows.ts';
import type { Asking, FactSource, SumsAsked } from './ask-facts.ts';
import { findGroupsOf } from './fact-rows.ts';
import { listIn, RewardLimits } from './reward-limits.ts';
import { RewardCounters } from './reward-counters.ts';

/** Enough for most stores; what other customers ordered is read again. */
const CUSTOMERS_MAX = 100_000;

/** What rules have earned and affiliates have collected: a dry run keeps both from one part of its orders to the next. */
export class OrderSums {
  readonly limits: RewardLimits;
  readonly counters: RewardCounters;
  readonly customers: KeptCustomers | undefined;

  /** `until`: for a dry run, the last day of which stored orders count. */
  constructor(until?: string) {
    this.limits = new RewardLimits(until);
    this.counters = new RewardCounters(until);
    this.customers = until === undefined ? undefined : new BoundedMap(CUSTOMERS_MAX);
  }
}

/**
 * What rules ask of the moment in which an order first counts, from the database. It reads that once for all orders of a
 * transaction; an order also sees what the orders before it have changed.
 */
export class OrderFacts implements FactSource {
  readonly sums: OrderSums;
  readonly #groups: ReadonlyMap<number, readonly number[]>;
  readonly #customers: CustomerOrders;

  static async read(
    db: Reader,
    asking: readonly Asking[],
    /** Orders that are decided now: whether one is the first of its customer is always kept. */
    deciding: ReadonlySet<PreparedOrder>,
    /** The stored versions of the transaction's orders, and whether each is credited. */
    known: readonly { readonly row: OrderRow; readonly isCredited: boolean }[],
    sums = new OrderSums(),
  ): Promise<OrderFacts> {
    const affiliates = new Set<number>();
    const customers = new Map<PreparedOrder, AskedCustomer>(
      Array.from(deciding, (order) => [order, { order, asksHistory: false }]),
    );
    for (const { order, terms, to } of asking) {
      const asked = askedBy(terms.rules);
      if (asked.groups) affiliates.add(to.affiliate);
      if (!asked.customers) continue;
      const asksHistory = asked.history || customers.get(order)?.asksHistory === true;
      customers.set(order, { order, asksHistory });
    }
    const [groups, earlier] = await Promise.all([
      affiliates.size === 0 ? [] : findGroupsOf(db, [...affiliates]),
      CustomerOrders.read(db, [...customers.values()], known, sums.customers),
    ]);
    return new OrderFacts(groups, earlier, sums);
  }

  private constructor(
    groups: readonly { user_id: number; group_id: number }[],
    customers: CustomerOrders,
    sums: OrderSums,
  ) {
    const byAffiliate = new Map<number, number[]>();
    for (const { user_id, group_id } of groups) listIn(byAffiliate, user_id).push(group_id);
    this.#groups = byAffiliate;
    this.#customers = customers;
    this.sums = sums;
  }

  groupsOf(affiliate: number): readonly number[] {
    return this.#groups.get(affiliate) ?? [];
  }

  earlier(order: PreparedOrder): EarlierOrders {
    return this.#customers.before(order);
  }

  noteOrder(before: OrderRow | undefined, after: OrderRow, isCredited: boolean): void {
    this.#customers.noteOrder(before, after, isCredited);
  }

  /** Asks for the sums of rules that match an order. */
  askSums({ rules, order, affiliate, earner }: SumsAsked): void {
    this.sums.limits.ask(rules, order, earner);
    this.sums.counters.ask(rules, order.day, affiliate);
  }

  spent(asked: SumsAsked): Record<string, number> {
    return this.sums.limits.spent(asked);
  }

  held(asked: SumsAsked): Record<string, number> {
    return this.sums.limits.held(asked);
  }

  collected(affiliate: number, counter: RewardCounter, day: string): number {
    return this.sums.counters.valueOf(affiliate, counter, day);
  }
}
