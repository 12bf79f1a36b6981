import type { Reader } from '../../../db/database.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { askedBy, type RewardRule } from '../../rewards/index.ts';
import {
  creditedTo,
  decidesCustomer,
  hasRules,
  isCredited,
  type CreditedOrder,
  type CreditedReferral,
} from '../credited-referral.ts';
import {
  CustomerOrders,
  type AskedCustomer,
  type KeptCustomers,
} from '../customers/customer-orders.ts';
import type { PreparedOrder } from '../order-input.ts';
import { findGroupsOf } from './fact-rows.ts';
import type { StoredFacts } from './facts.ts';
import { RewardCounters } from './reward-counters.ts';
import { limitsOf, RewardLimits } from './reward-limits.ts';

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

/** Rules that match an order, whose sums are asked. */
export interface SumsAsked {
  readonly rules: readonly RewardRule[];
  readonly order: PreparedOrder;
  readonly affiliate: number;
  /** Whose limits they are: another one than the affiliate where a commission is shared. */
  readonly earner: number;
  readonly coupon?: number | undefined;
}

export type OrderFacts = Awaited<ReturnType<typeof readFacts>>;

/**
 * What rules ask of the moment in which an order first counts, from the database. It reads that once for all orders of a
 * transaction; an order also sees what the orders before it have changed.
 */
export async function readFacts(
  db: Reader,
  orders: readonly CreditedOrder[],
  sums = new OrderSums(),
) {
  const affiliates = new Set<number>();
  const asked = new Map<PreparedOrder, AskedCustomer>();
  const askCustomer = (order: PreparedOrder, asksHistory: boolean) =>
    asked.set(order, { order, asksHistory: asksHistory || !!asked.get(order)?.asksHistory });
  for (const one of orders) {
    for (const each of one.credited) {
      // Whether an order is the first of its customer is always kept.
      if (decidesCustomer(one, each)) askCustomer(one.order, false);
      if (each.kept || !hasRules(each)) continue;
      const asks = askedBy(each.terms!.rules);
      if (asks.groups) affiliates.add(creditedTo(each).affiliate);
      if (asks.customers) askCustomer(one.order, asks.history);
    }
  }
  const known = orders.flatMap(({ known: row, before }) =>
    row ? [{ row, isCredited: isCredited(before) }] : [],
  );
  const [groups, customers] = await Promise.all([
    affiliates.size === 0 ? [] : findGroupsOf(db, [...affiliates]),
    CustomerOrders.read(db, [...asked.values()], known, sums.customers),
  ]);
  const groupsOf = Map.groupBy(groups, ({ user_id }) => user_id);

  /** The facts that decide which rules match; undefined if nothing is asked. */
  function momentOf(order: PreparedOrder, referral: CreditedReferral): StoredFacts | undefined {
    const { terms, payment } = referral;
    const asks = askedBy(terms!.rules);
    const own = asks.groups ? groupsOf.get(creditedTo(referral).affiliate) : undefined;
    const facts: StoredFacts = {
      ...(payment && { payment: payment.number, started: payment.startedOn }),
      ...(own && { groups: own.map(({ group_id }) => group_id) }),
      ...(asks.customers && historyOf(order, payment, asks.history)),
    };
    return Object.keys(facts).length > 0 ? facts : undefined;
  }

  /** What the orders of a customer before this one say. */
  function historyOf(
    order: PreparedOrder,
    payment: CreditedReferral['payment'],
    asksHistory: boolean,
  ): Partial<StoredFacts> {
    const { customerHash, day } = order;
    if (customerHash === null) {
      return payment && asksHistory ? { nth: payment.number, since: payment.startedOn } : {};
    }
    const { orders: earlier, credited, since } = customers.before(order);
    const customer = earlier > 0 ? 'repeat' : 'first';
    if (!asksHistory) return { customer };
    return {
      customer,
      nth: payment?.number ?? credited + 1,
      since: since !== null && since < day ? since : day,
    };
  }

  /** Asks for the sums of rules that match an order, before any of them is needed. */
  function askSums({ rules, order, affiliate, earner }: SumsAsked): void {
    sums.limits.ask(rules, order, earner);
    sums.counters.ask(rules, order.day, affiliate);
  }

  /** Adds the sums that the rules which match the order ask for. */
  function withSums(facts: StoredFacts | undefined, given: SumsAsked): StoredFacts {
    const { rules, order, affiliate } = given;
    const counters: Record<string, number> = {};
    for (const { id, rate } of rules) {
      if (rate.steps) counters[id] = sums.counters.valueOf(affiliate, rate.steps, order.day);
    }
    return {
      ...facts,
      ...(Object.keys(counters).length > 0 && { counters }),
      ...(limitsOf(rules).length > 0 && { spent: sums.limits.spent(given) }),
    };
  }

  return { sums, customers, momentOf, askSums, withSums };
}
