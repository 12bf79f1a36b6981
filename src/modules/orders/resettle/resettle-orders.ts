import type { ReferralState } from '../tables.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { computeCommission } from '../commission/commission.ts';
import { toPrepared } from '../commission/explain-commission.ts';
import { limitsOf, RewardLimits } from '../commission/reward-limits.ts';
import { readTerms, type Terms } from '../commission/terms.ts';
import {
  findOrdersToChange,
  listReferralsToChange,
  type OrderRow,
  type ReferralRow,
} from '../order-rows.ts';
import { isCounted, isGranted, type ReferralTerms } from '../commission/referral-terms.ts';
import { Settlement, type ChangeContext } from '../settle-referral.ts';
import { lockManyOrders } from '../ingest-orders.ts';

/** Few enough that other requests and orders wait only some milliseconds. */
const ORDERS_PER_TRANSACTION = 50;

/**
 * Settles orders again after the setting has changed which statuses count. Their figures follow, and so does
 * an awaiting commission: it appears with an order that counts now and disappears with one that no longer
 * does. Granted commission stays, and none is granted: that takes a change of the order.
 *
 * Each order is read inside its transaction, so any number of processes may do this at the same time, while
 * others ingest orders.
 */
export async function resettleOrders(site: Site, orderIds: readonly number[]): Promise<void> {
  for (let i = 0; i < orderIds.length; i += ORDERS_PER_TRANSACTION) {
    const some = orderIds.slice(i, i + ORDERS_PER_TRANSACTION);
    await site.database.transaction((tx) => resettle(tx, site, some));
    await nextTurn();
  }
}

async function resettle(tx: Transaction, site: Site, ids: readonly number[]): Promise<void> {
  const [, orders, found] = await Promise.all([
    lockManyOrders(tx),
    findOrdersToChange(tx, ids),
    listReferralsToChange(tx, ids),
  ]);
  const settlement = await Settlement.begin(tx, site, {
    orderIds: new Set(ids),
    affiliateIds: new Set(),
  });
  const referrals = Map.groupBy(found, (referral) => referral.order_id);
  const limits = await Limits.read(tx, site, found);
  const context = { actorId: 0, nowMs: site.clock() };
  for (const order of orders) {
    for (const referral of referrals.get(order.order_id) ?? []) {
      settle(settlement, site, order, referral, limits, context);
    }
  }
}

/** What orders have earned of rules that limit a sum: an order that does not count leaves more for later ones. */
class Limits {
  readonly #tx: Transaction;
  readonly #terms: ReadonlyMap<string, Terms>;
  readonly #recorded = new RewardLimits();

  static async read(
    tx: Transaction,
    site: Site,
    referrals: readonly ReferralRow[],
  ): Promise<Limits> {
    const limits = new Limits(tx, await readTerms(tx, site, referrals));
    if (Array.from(limits.#terms.values()).some(({ rules }) => limitsOf(rules).length > 0)) {
      await limits.#recorded.readRecorded(tx, [...new Set(referrals.map((one) => one.order_id))]);
    }
    return limits;
  }

  private constructor(tx: Transaction, terms: ReadonlyMap<string, Terms>) {
    this.#tx = tx;
    this.#terms = terms;
  }

  note(order: OrderRow, after: ReferralRow, earned: ReadonlyMap<number, number> | undefined): void {
    const terms = after.terms === null ? undefined : this.#terms.get(after.terms);
    const { day, customer_hash: customerHash } = order;
    if (terms) this.#recorded.note(this.#tx, terms.rules, { day, customerHash }, after, earned);
  }
}

function settle(
  settlement: Settlement,
  site: Site,
  order: OrderRow,
  stored: ReferralRow,
  limits: Limits,
  context: ChangeContext,
): void {
  const before = settlement.free(stored);
  const counted = isCounted(site, order.status) && !before.dropped ? 1 : 0;
  if (counted === before.counted) return;
  const terms = JSON.parse(before.rates) as ReferralTerms;
  const state: ReferralState = counted === 1 && !terms.self ? 'awaiting' : 'void';
  // Granted commission stays; only the figures change.
  const worth =
    isGranted(before) || state === before.state ? undefined : worthOf(site, order, terms);
  if (!worth) {
    settlement.recount(stored, counted, context);
    return;
  }
  const next = { ...before, counted, state, commission: state === 'void' ? 0 : worth.amount };
  const after = settlement.settle(stored, next, worth.base, context);
  limits.note(order, after, worth.byRule);
}

function worthOf(site: Site, order: OrderRow, { rates, rules }: ReferralTerms) {
  const { figures, exchange } = toPrepared(site, order);
  return computeCommission(figures, rates, rules, exchange);
}
