import type { Transaction } from '../../db/database.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { CREDITING_LOCK } from '../coupons/index.ts';
import { activeRules, countsNewCustomers, type RuleList } from '../rewards/index.ts';
import { FirstOrders } from './customers/customer-hooks.ts';
import {
  withKnownCustomer,
  withLinkedCustomers,
  withLinkedMailboxes,
} from './customers/customer-links.ts';
import { commissionWithoutSteps } from './commission/plain-commission.ts';
import { orderColumns, referralState, type ReferralTerms } from './commission/referral-terms.ts';
import {
  beginCrediting,
  readContext,
  ReferralDrafts,
  type CreditContext,
} from './draft-referrals.ts';
import { withKnownRate } from './known-rate.ts';
import type { PreparedOrder } from './order-input.ts';
import {
  findOrdersToChange,
  listReferralsToChange,
  saveOrder,
  type OrderRow,
  type ReferralRow,
} from './order-rows.ts';
import { readStoresOfOthers, refusalOf } from './orders-of-stores.ts';
import type { DraftReferral } from './several-affiliates.ts';
import { referralChecks, type ReferralCheck } from './restraints.ts';
import { Settlement, type ChangeContext } from './settle-referral.ts';

export interface IncomingOrder {
  readonly order: PreparedOrder;
  readonly context: ChangeContext;
  /** The sender saw the stored version later than this one: if both have the same time, the stored one stays. */
  readonly isSeenEarlier?: boolean;
}

export interface StoredOrder {
  readonly isNew: boolean;
  /** Whether anything was stored: false for the same order again, and for an older version. */
  readonly isChanged: boolean;
  readonly order: OrderRow;
  readonly referrals: readonly ReferralRow[];
}

/**
 * Locks all orders exclusively, for a transaction that changes many. It touches orders and coupons in arbitrary
 * order, so running beside transactions of single orders would deadlock.
 */
export function lockManyOrders(tx: Transaction): Promise<void> {
  return tx.lock(CREDITING_LOCK);
}

/** Keeps transactions that change many orders away, for one that changes something that they change after orders. */
export function lockOrders(tx: Transaction): Promise<void> {
  return tx.lock(CREDITING_LOCK, { shared: true });
}

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
  if (result instanceof ApiError) throw result;
  return result;
}

/**
 * Ingests orders: each any number of times, with statuses in any order. It compares an order with its stored
 * version and posts only the difference. The same order again, or an older version of it, changes nothing and
 * emits nothing. The result of an order that the sender may not change is the reason.
 *
 * It reads what all orders need first, then goes through them one by one, each as the ones before have left
 * things. The transaction writes their changes, in a few statements for any number of orders.
 */
export async function ingestEach(
  tx: Transaction,
  site: Site,
  incoming: readonly IncomingOrder[],
  list?: RuleList,
): Promise<(StoredOrder | ApiError)[]> {
  if (incoming.length === 0) return [];
  const { rules } = list ?? (await activeRules(site));
  if (incoming.length > 1 && rules.some(countsNewCustomers)) {
    await lockManyOrders(tx);
    const results: (StoredOrder | ApiError)[] = [];
    for (const one of incoming) results.push(...(await ingestEach(tx, site, [one], list)));
    return results;
  }
  // An earlier call in the same transaction may have changed orders that this one reads.
  await tx.flush();
  const lock = () => (incoming.length === 1 ? lockOrders(tx) : lockManyOrders(tx));
  const firstOrders = await FirstOrders.begin(tx, site);
  const linked = await withLinkedCustomers(tx, site, incoming, { rules, lock, firstOrders });
  const sent = linked.map(({ order }) => order);
  const ids = [...new Set(sent.map((order) => order.orderId))];
  const [, found, referrals, credit] = await Promise.all([
    lock(),
    findOrdersToChange(tx, ids),
    listReferralsToChange(tx, ids),
    beginCrediting(tx, site, sent, list),
  ]);
  const known = new Map(found.map((order) => [order.order_id, order]));
  const { attribution } = credit;
  const affiliateIds = attribution.affiliateIds();
  const customers = sent.map((order) => withKnownCustomer(order, known.get(order.orderId)));
  const orders =
    affiliateIds.size === 0
      ? customers
      : await withLinkedMailboxes(tx, site, customers, { rules, firstOrders });
  const checkScope = { orders, affiliateIds, clickIds: attribution.clickIds };
  const [settlement, stores, context, checks] = await Promise.all([
    Settlement.begin(tx, site, {
      orderIds: new Set(referrals.map((referral) => referral.order_id)),
      affiliateIds,
    }),
    readStoresOfOthers(tx, site, orders, found),
    readContext(tx, site, credit, orders, referrals),
    Promise.all(
      site.registry
        .allContributions(referralChecks)
        .map((prepare) => prepare(tx, site, checkScope)),
    ),
    attribution.readCodes(
      tx,
      referrals.map((referral) => referral.coupon_id),
    ),
  ]);
  const parts = { settlement, firstOrders, context, checks };
  const ingest = new OrderIngest(tx, site, parts, known, referrals);
  return incoming.map((each, i) => {
    const order = orders[i]!;
    return (
      refusalOf(order, ingest.known(order.orderId), stores) ??
      ingest.store(order === each.order ? each : { ...each, order })
    );
  });
}

interface IngestParts {
  readonly settlement: Settlement;
  readonly firstOrders: FirstOrders;
  readonly context: CreditContext;
  readonly checks: readonly ReferralCheck[];
}

/** The orders and referrals of one transaction, as the orders ingested so far have left them. */
class OrderIngest {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #settlement: Settlement;
  readonly #firstOrders: FirstOrders;
  readonly #checks: readonly ReferralCheck[];
  readonly #context: CreditContext;
  readonly #drafts: ReferralDrafts;
  readonly #orders: Map<number, OrderRow>;
  readonly #referrals: Map<number, readonly ReferralRow[]>;

  constructor(
    tx: Transaction,
    site: Site,
    { settlement, firstOrders, context, checks }: IngestParts,
    orders: Map<number, OrderRow>,
    referrals: readonly ReferralRow[],
  ) {
    this.#tx = tx;
    this.#site = site;
    this.#settlement = settlement;
    this.#firstOrders = firstOrders;
    this.#checks = checks;
    this.#context = context;
    this.#orders = orders;
    this.#referrals = Map.groupBy(referrals, (referral) => referral.order_id);
    this.#drafts = new ReferralDrafts(tx, site, context, this.#referrals);
  }

  known(orderId: number): OrderRow | undefined {
    return this.#orders.get(orderId);
  }

  store(sent: IncomingOrder): StoredOrder {
    const known = this.known(sent.order.orderId);
    const incoming = { ...sent, order: withKnownRate(this.#site, sent.order, known) };
    const { order, context } = incoming;
    const before = this.#referrals.get(order.orderId) ?? [];
    if (known && !isAdopted(order, known) && isKnown(incoming, known)) {
      return { isNew: false, isChanged: false, order: known, referrals: before };
    }
    const now = toRow(order, known, context.nowMs);
    saveOrder(this.#tx, now, { isNew: !known });
    this.#firstOrders.noteOrder(known, now);
    const drafts = this.#drafts.of(order, known, before);
    const after = drafts.map((draft) => this.#settle(order, draft, context));
    this.#context.facts.noteOrder(
      order,
      after.some(({ dropped }) => dropped === 0),
    );
    this.#orders.set(order.orderId, now);
    this.#referrals.set(order.orderId, after);
    return { isNew: !known, isChanged: true, order: now, referrals: after };
  }

  #settle(
    order: PreparedOrder,
    { previous, row, terms, ownerEmail = '' }: DraftReferral,
    context: ChangeContext,
  ): ReferralRow {
    // A change of the order does not concern a coupon that was removed from it earlier.
    if (previous?.dropped && row.dropped) return previous;
    const { rates, rules } = terms;
    const { figures, exchange } = order;
    const { amount, base, byRule } = commissionWithoutSteps(figures, rates, rules, exchange);
    const { dropped } = row;
    const stored = this.#settlement.free(previous);
    const state = referralState(this.#site, order.status, { terms, dropped, previous: stored });
    const columns = orderColumns(this.#site, order, state, dropped, amount);
    const next = { ...row, ...columns, rates: ratesOf(previous, terms) };
    if (!previous && !terms.self) {
      for (const check of this.#checks) check(order, next, ownerEmail, context.nowMs);
    }
    const { facts } = this.#context;
    const after = this.#settlement.settle(previous, next, base, context);
    facts.noteReferral(previous, after);
    const made = row.terms === null ? undefined : this.#context.terms.get(row.terms);
    if (made?.index) facts.limits.note(this.#tx, made.rules, order, after, byRule);
    return after;
  }
}

/** Rates that were decided before terms were stored stay as they are. */
function ratesOf(previous: ReferralRow | undefined, terms: ReferralTerms): string {
  if (previous && previous.terms === null) return previous.rates;
  if (terms.self) return JSON.stringify(terms);
  let text = ratesTexts.get(terms.rates);
  if (text === undefined) ratesTexts.set(terms.rates, (text = JSON.stringify(terms)));
  return text;
}

/** Most orders of a coupon have the same rates: the same object, which need not be written again. */
const ratesTexts = new WeakMap<ReferralTerms['rates'], string>();

/** An order stays with its store when something else changes it. */
function toRow(order: PreparedOrder, known: OrderRow | undefined, nowMs: number): OrderRow {
  return {
    order_id: order.orderId,
    placed_at: order.placedAtMs,
    day: order.day,
    status: order.status,
    currency: order.currency,
    exchange_rate: order.exchangeRate,
    external_id: order.externalId,
    total: order.total,
    discount: order.discount,
    shipping: order.shipping,
    refunded: order.refunded,
    modified_at: order.modifiedAtMs,
    customer_hash: order.customerHash,
    click_id: order.clickId,
    visitor_hash: order.visitorHash,
    referral_code: order.referralCode,
    content: order.content,
    created_at: known?.created_at ?? nowMs,
    updated_at: nowMs,
    store_id: order.storeId ?? known?.store_id ?? null,
  };
}

/** The order was sent without a store, or by one that was connected again: it is now as its store says. */
function isAdopted(order: PreparedOrder, known: OrderRow): boolean {
  return order.storeId !== null && order.storeId !== known.store_id;
}

function isKnown(incoming: IncomingOrder, known: OrderRow): boolean {
  return known.content === incoming.order.content || isOlder(incoming, known.modified_at);
}

function isOlder(
  { order: { modifiedAtMs }, isSeenEarlier = false }: IncomingOrder,
  knownModifiedMs: number | null,
): boolean {
  if (modifiedAtMs === null || knownModifiedMs === null) return false;
  return modifiedAtMs < knownModifiedMs || (isSeenEarlier && modifiedAtMs === knownModifiedMs);
}
