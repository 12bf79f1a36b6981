import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from '../../../db/database.ts';
import { ApiError } from '../../../kernel/declare/errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { computeCommission } from '../commission/commission.ts';
import { toPrepared } from '../commission/explain-commission.ts';
import { storeFiguresOf } from '../figures.ts';
import { OrderChanges } from '../order-changes.ts';
import {
  findOrdersToChange,
  listReferralsToChange,
  type OrderRow,
  type ReferralRow,
} from '../order-store.ts';
import type { ReferralTerms } from '../commission/referral-rates.ts';
import { isCounted, isGranted } from '../commission/referral-value.ts';
import type { Sending } from '../sending.ts';
import { settleReferral } from '../settle-referral.ts';
import { lockManyOrders } from '../ingest-orders.ts';

/** Few enough that other requests and orders wait for some milliseconds only. */
const ORDERS_PER_TRANSACTION = 50;

/**
 * Settles orders again after the setting has changed which statuses count. Their figures follow, and so
 * does a commission that waits: it appears with an order that counts now and goes with one that no longer
 * does. Money that was granted stays, and none is granted: that takes a change of the order.
 *
 * Each order is looked at within its transaction, so that any number of processes may do this at the same
 * time, beside others that store orders.
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
  const changes = await OrderChanges.begin(tx, site, {
    orderIds: new Set(ids),
    affiliateIds: new Set(),
  });
  const referrals = Map.groupBy(found, (referral) => referral.order_id);
  const sending = { actorId: 0, nowMs: site.clock() };
  for (const order of orders) {
    const before = referrals.get(order.order_id) ?? [];
    const after = before.map((referral) => settled(changes, site, order, referral, sending));
    changes.figures.moveStore(
      { day: order.day, figures: storeFiguresOf(before) },
      { day: order.day, figures: storeFiguresOf(after) },
    );
  }
  await changes.write(tx);
}

function settled(
  changes: OrderChanges,
  site: Site,
  order: OrderRow,
  before: ReferralRow,
  sending: Sending,
): ReferralRow {
  const counted = isCounted(site, order.status) && !before.dropped ? 1 : 0;
  if (counted === before.counted) return before;
  const after = isGranted(before)
    ? countedAnew(changes, before, counted, sending)
    : awaitedAnew(changes, site, order, before, counted, sending);
  changes.figures.moveCoupon(before, after);
  return after;
}

/** Nothing but its place among the figures changes: no movement of money, no event. */
function countedAnew(
  changes: OrderChanges,
  before: ReferralRow,
  counted: number,
  sending: Sending,
): ReferralRow {
  const after = { ...before, counted };
  changes.saveReferral(after);
  changes.follow({ before, after, base: undefined }, sending);
  return after;
}

function awaitedAnew(
  changes: OrderChanges,
  site: Site,
  order: OrderRow,
  before: ReferralRow,
  counted: number,
  sending: Sending,
): ReferralRow {
  const terms = JSON.parse(before.rates) as ReferralTerms;
  const state = counted === 1 && !terms.self ? 'awaiting' : 'void';
  const worth = state === before.state ? undefined : worthOf(site, order, terms);
  if (!worth) return countedAnew(changes, before, counted, sending);
  const next = { ...before, counted, state, commission: state === 'void' ? 0 : worth.amount };
  return settleReferral(changes, site, before, next, worth.base, sending);
}

/** Undefined for an order that an earlier version stored and that would be refused by now. */
function worthOf(site: Site, order: OrderRow, { rates, rules }: ReferralTerms) {
  try {
    const { figures, exchange } = toPrepared(site, order);
    return computeCommission(figures, rates, rules, exchange);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { order_id } = order;
    site.log.warn({ order_id, err: error }, 'the commission of an order cannot be computed again');
    return undefined;
  }
}
