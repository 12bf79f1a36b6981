import { askedBy, type RewardCounter, type RewardRule } from '../../rewards/index.ts';
import type { Payment } from '../attribution/subscriptions.ts';
import type { EarlierOrders } from '../customers/customer-orders.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { CreditedTo, StoredFacts } from './facts.ts';
import { limitsOf } from './reward-limits.ts';
import type { Terms } from './terms.ts';

/** An order with the account that it is credited to, and the terms that decide. */
export interface Asking {
  readonly order: PreparedOrder;
  readonly terms: Terms;
  readonly to: CreditedTo;
  readonly payment: Payment | undefined;
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

/** Where facts come from. */
export interface FactSource {
  groupsOf(affiliate: number): readonly number[];
  /** The orders of the customer that counted before. */
  earlier(order: PreparedOrder): EarlierOrders;
  /** Asks for the sums of rules that match an order, before any of them is needed. */
  askSums(asked: SumsAsked): void;
  /** By rule with a limit, what it has earned for others than this coupon of the order. */
  spent(asked: SumsAsked): Record<string, number>;
  /** By rule with a limit, what the version before earned. */
  held(asked: SumsAsked): Record<string, number>;
  /** What an affiliate had collected before an order of a day. */
  collected(affiliate: number, counter: RewardCounter, day: string): number;
}

/** The facts that decide which rules match; undefined if nothing is asked. */
export function momentOf(
  source: FactSource,
  { order, terms, to, payment }: Asking,
): StoredFacts | undefined {
  const asked = askedBy(terms.rules);
  const groups = asked.groups ? source.groupsOf(to.affiliate) : [];
  const facts: StoredFacts = {
    ...(payment && { payment: payment.number, started: payment.startedOn }),
    ...(groups.length > 0 && { groups }),
    ...(asked.customers && historyOf(source, order, payment, asked.history)),
  };
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** Adds the sums that the rules which match the order ask for. */
export function withSums(
  source: FactSource,
  facts: StoredFacts | undefined,
  asked: SumsAsked,
): StoredFacts | undefined {
  const { rules, order, affiliate } = asked;
  let counters: Record<string, number> | undefined;
  for (const { id, rate } of rules) {
    if (!rate.steps) continue;
    counters ??= {};
    counters[id] = source.collected(affiliate, rate.steps, order.day);
  }
  const hasLimits = limitsOf(rules).length > 0;
  if (!counters && !hasLimits) return facts;
  return {
    ...facts,
    ...(counters && { counters }),
    ...(hasLimits && { spent: source.spent(asked) }),
  };
}

/** What the orders of a customer before this one say. */
function historyOf(
  source: FactSource,
  order: PreparedOrder,
  payment: Payment | undefined,
  asksHistory: boolean,
): Partial<StoredFacts> {
  const { customerHash, day } = order;
  if (customerHash === null) {
    return payment && asksHistory ? { nth: payment.number, since: payment.startedOn } : {};
  }
  const { orders, credited, since } = source.earlier(order);
  const customer = orders > 0 ? 'repeat' : 'first';
  if (!asksHistory) return { customer };
  return {
    customer,
    nth: payment?.number ?? credited + 1,
    since: since !== null && since < day ? since : day,
  };
}
