import type { Transaction } from '../../db/database.ts';
import type { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { activeRules, type RuleList } from '../rewards/index.ts';
import { readAttribution } from './attribution/attribution.ts';
import { Subscriptions } from './attribution/subscriptions.ts';
import { readTerms } from './commission/terms.ts';
import {
  untilLinked,
  withKnownCustomer,
  withLinkedCustomers,
  withLinkedMailboxes,
} from './customers/customer-links.ts';
import type { IncomingOrder, StoredOrder } from './incoming-order.ts';
import { storeAndDecide } from './order-ingest.ts';
import type { PreparedOrder } from './order-input.ts';
import { lockManyOrders, lockOrders } from './order-locks.ts';
import { byPlace } from './order-place.ts';
import { findOrdersToChange, listReferralsToChange } from './order-rows.ts';
import { readStoresOfOthers } from './orders-of-stores.ts';
import { listUncredited, waitForRenewal } from './resettle/waiting-rows.ts';
import { referralChecks } from './restraints.ts';
import { beginSettlement, type ChangeContext } from './settle-referral.ts';
import { toStored } from './stored-order.ts';

/** Ingests orders that their sender may change, such as those of a connected store. Throws if one is refused. */
export async function ingestOrders(
  tx: Transaction,
  site: Site,
  incoming: readonly IncomingOrder[],
  /** Rules that are tried instead of the saved ones. */
  list?: RuleList,
): Promise<StoredOrder[]> {
  return (await ingestEach(tx, site, incoming, list)).map(storedOf);
}

/** The stored order; throws the reason if it was refused. */
export function storedOf(result: StoredOrder | ApiError): StoredOrder {
  if (result instanceof Error) throw result;
  return result;
}

/**
 * Ingests orders: each any number of times, with statuses in any order. It compares an order with its stored
 * version and posts only the difference. The same order again, or an older version of it, changes nothing and
 * emits nothing. The result of an order that the sender may not change is the reason.
 *
 * The orders of one call are stored, credited and decided as they were placed, in whatever order they are given. Versions of the
 * same order follow each other.
 */
export async function ingestEach(
  tx: Transaction,
  site: Site,
  incoming: readonly IncomingOrder[],
  list?: RuleList,
): Promise<(StoredOrder | ApiError)[]> {
  const results = new Map<IncomingOrder, StoredOrder | ApiError>();
  const isOne = incoming.length === 1 && !mayBeFirstPayment(incoming[0]!);
  for (const round of roundsOf(incoming)) {
    const sorted = round.toSorted((a, b) => byPlace(placeOf(a), placeOf(b)));
    for (const some of untilLinked(sorted)) {
      const parts = { list: list ?? (await activeRules(site)), isOne };
      const stored = await ingestRound(tx, site, some, parts);
      for (const [i, one] of some.entries()) results.set(one, stored[i]!);
    }
  }
  return incoming.map((one) => results.get(one)!);
}

/** No order is twice in one of them. */
function roundsOf(incoming: readonly IncomingOrder[]): IncomingOrder[][] {
  const rounds: IncomingOrder[][] = [];
  const versions = new Map<number, number>();
  for (const one of incoming) {
    const { orderId } = one.order;
    const round = versions.get(orderId) ?? 0;
    versions.set(orderId, round + 1);
    (rounds[round] ??= []).push(one);
  }
  return rounds;
}

function placeOf({ order: { placedAtMs: placed_at, orderId: order_id } }: IncomingOrder) {
  return { placed_at, order_id };
}

/** It reads what all orders need first. The transaction writes their changes, in a few statements for any number of orders. */
async function ingestRound(
  tx: Transaction,
  site: Site,
  incoming: readonly IncomingOrder[],
  { list, isOne }: { list: RuleList; isOne: boolean },
): Promise<(StoredOrder | ApiError)[]> {
  const { rules } = list;
  // An earlier call in the same transaction may have changed orders that this one reads.
  await tx.flush();
  const lock = () => (isOne ? lockOrders(tx) : lockManyOrders(tx));
  const sent = await withLinkedCustomers(tx, site, incoming, { rules, lock });
  const ids = sent.map((order) => order.orderId);
  const [, found, referrals, { subscriptions, attribution }] = await Promise.all([
    lock(),
    findOrdersToChange(tx, ids),
    listReferralsToChange(tx, ids),
    readCrediting(tx, site, sent),
  ]);
  const known = new Map(found.map((order) => [order.order_id, order]));
  const affiliateIds = attribution.accounts.affiliateIds();
  const customers = sent.map((order) => withKnownCustomer(order, known.get(order.orderId)));
  const orders =
    affiliateIds.size === 0 ? customers : await withLinkedMailboxes(tx, site, customers, rules);
  const checkScope = {
    orders,
    affiliateIds,
    clickIds: attribution.clickIds,
    renewed: subscriptions.referrals(),
  };
  const [settlement, stores, terms, checks] = await Promise.all([
    beginSettlement(tx, site, {
      orderIds: new Set(referrals.map((referral) => referral.order_id)),
      affiliateIds,
    }),
    readStoresOfOthers(tx, site, orders, found),
    readTerms(tx, site, [...referrals, ...subscriptions.referrals()]),
    Promise.all(
      site.registry
        .allContributions(referralChecks)
        .map((prepare) => prepare(tx, site, checkScope)),
    ),
    // Coupons that orders were credited to before, whether they are still active or not.
    attribution.accounts.readByIds(
      tx,
      referrals.map((referral) => referral.coupon_id),
    ),
  ]);
  const { results, renewals } = await storeAndDecide(
    tx,
    site,
    { list, subscriptions, attribution, terms: new Map(terms), settlement, stores, checks },
    { known, referrals },
    {
      orders: incoming.map((one, i) =>
        orders[i] === one.order ? one : { ...one, order: orders[i]! },
      ),
      isOne,
    },
  );
  await renew(tx, site, renewals, incoming[0]!.context);
  return results;
}

/** The stored versions of orders, settled again. */
export async function ingestAgain(
  tx: Transaction,
  site: Site,
  orderIds: readonly number[],
  { grants, context }: { readonly grants: boolean; readonly context: ChangeContext },
): Promise<StoredOrder[]> {
  await tx.flush();
  const rows = await findOrdersToChange(tx, orderIds);
  const again = { grants };
  const incoming = rows.map((row) => ({ order: toStored(site, row), context, again }));
  return ingestOrders(tx, site, incoming);
}

/** Most that are credited in the transaction that credits their first payment. */
const RENEWALS_AT_ONCE = 50;

/** Credits renewals that came before their first payment, or before it was credited: those without a referral. */
async function renew(
  tx: Transaction,
  site: Site,
  orderIds: ReadonlySet<number>,
  context: ChangeContext,
): Promise<void> {
  if (orderIds.size === 0) return;
  await tx.flush();
  const orders = await listUncredited(tx, [...orderIds]);
  if (orders.length > RENEWALS_AT_ONCE) {
    for (const order of orders) waitForRenewal(tx, order, context.nowMs);
    return;
  }
  const ids = orders.map(({ order_id }) => order_id);
  if (ids.length > 0) await ingestAgain(tx, site, ids, { grants: true, context });
}

/** The first payment of a subscription may credit its renewals as well, which are other orders. */
function mayBeFirstPayment({ order: { subscription } }: IncomingOrder): boolean {
  return subscription !== null && !subscription.isRenewal && (subscription.payment ?? 1) === 1;
}

async function readCrediting(tx: Transaction, site: Site, orders: readonly PreparedOrder[]) {
  const subscriptions = await Subscriptions.read(tx, orders);
  return { subscriptions, attribution: await readAttribution(tx, site, orders, subscriptions) };
}
