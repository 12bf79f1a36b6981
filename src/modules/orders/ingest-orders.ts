import type { Transaction } from '../../db/database.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { CREDITING_LOCK } from '../coupons/index.ts';
import { Attribution, type Credit } from './attribution/attribution.ts';
import type { Candidate } from './attribution/candidate-store.ts';
import { computeCommission } from './commission/commission.ts';
import { newToOrder } from './attribution/new-to-order.ts';
import { hashCustomer, type PreparedOrder } from './order-input.ts';
import {
  findOrdersToChange,
  listReferralsToChange,
  saveOrder,
  type OrderRow,
  type ReferralRow,
} from './order-store.ts';
import { Settlement } from './settle-referral.ts';
import { termsFor, type ReferralTerms } from './commission/referral-rates.ts';
import { stateNow, valued } from './commission/referral-value.ts';
import type { ChangeContext } from './referral-hooks.ts';
import { allowSelf } from './settings.ts';

export interface SentOrder {
  readonly order: PreparedOrder;
  readonly context: ChangeContext;
}

export interface StoredOrder {
  readonly isNew: boolean;
  readonly order: OrderRow;
  readonly referrals: readonly ReferralRow[];
}

/**
 * For a transaction that takes in many: it has orders and coupons of all kinds, in the sequence in
 * which they come, and would stop and be stopped by everybody else. So it has them for itself.
 */
export function lockManyOrders(tx: Transaction): Promise<void> {
  return tx.lock(CREDITING_LOCK);
}

/**
 * Takes in orders: each any number of times, in any sequence of statuses. What it was and what it is
 * now are compared, and only the difference is posted. The same order again, or an older version of
 * it, changes nothing and tells nobody.
 *
 * Everything they need is read first, then they are looked at one after the other, each as the ones
 * before have left things, and what they change is written at the end: a few statements, however many
 * they are.
 */
export async function ingestOrders(
  tx: Transaction,
  site: Site,
  sent: readonly SentOrder[],
): Promise<StoredOrder[]> {
  if (sent.length === 0) return [];
  // The orders of an earlier call in the same transaction are read again here.
  await tx.flush();
  const orders = sent.map(({ order }) => order);
  const ids = [...new Set(orders.map((order) => order.orderId))];
  const [, found, referrals, attribution] = await Promise.all([
    orders.length === 1 ? tx.lock(CREDITING_LOCK, { shared: true }) : lockManyOrders(tx),
    findOrdersToChange(tx, ids),
    listReferralsToChange(tx, ids),
    Attribution.read(tx, site, orders),
  ]);
  const [settlement] = await Promise.all([
    Settlement.begin(tx, site, {
      orderIds: new Set(referrals.map((referral) => referral.order_id)),
      affiliateIds: attribution.affiliateIds(),
    }),
    attribution.readCodes(
      tx,
      referrals.map((referral) => referral.coupon_id),
    ),
  ]);
  const storing = new Storing(tx, site, attribution, settlement, found, referrals);
  return sent.map(({ order, context }) => storing.store(order, context));
}

/** Orders as they stand while some are taken in, one after the other. */
class Storing {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #attribution: Attribution;
  readonly #settlement: Settlement;
  readonly #orders: Map<number, OrderRow>;
  readonly #referrals: Map<number, readonly ReferralRow[]>;
  readonly #usualTerms = new Map<Candidate, WrittenTerms>();

  constructor(
    tx: Transaction,
    site: Site,
    attribution: Attribution,
    settlement: Settlement,
    orders: readonly OrderRow[],
    referrals: readonly ReferralRow[],
  ) {
    this.#tx = tx;
    this.#site = site;
    this.#attribution = attribution;
    this.#settlement = settlement;
    this.#orders = new Map(orders.map((order) => [order.order_id, order]));
    this.#referrals = Map.groupBy(referrals, (referral) => referral.order_id);
  }

  store(order: PreparedOrder, context: ChangeContext): StoredOrder {
    const known = this.#orders.get(order.orderId);
    const before = this.#referrals.get(order.orderId) ?? [];
    if (known && (known.content === order.content || isOlder(order, known.modified_at))) {
      return { isNew: false, order: known, referrals: before };
    }
    const now = toRow(order, known?.created_at ?? context.nowMs, context.nowMs);
    saveOrder(this.#tx, now, { isNew: !known });
    const after = this.#settle(order, known, before, context);
    this.#orders.set(order.orderId, now);
    this.#referrals.set(order.orderId, after);
    return { isNew: !known, order: now, referrals: after };
  }

  #settle(
    order: PreparedOrder,
    known: OrderRow | undefined,
    before: readonly ReferralRow[],
    context: ChangeContext,
  ): ReferralRow[] {
    const wanted = this.#wantedReferrals(order, known, before);
    // In one sequence, whatever that of the codes: so they are told of and listed.
    wanted.sort((a, b) => a.row.coupon_id - b.row.coupon_id);
    return wanted.map(({ row, terms }) => {
      const previous = before.find((referral) => referral.coupon_id === row.coupon_id);
      // Nothing of the order concerns a coupon that was taken off it before.
      if (previous?.dropped && row.dropped) return previous;
      const { amount, base } = computeCommission(
        order.figures,
        terms.rates,
        terms.rules,
        order.exchange,
      );
      const state = stateNow(this.#site, order.status, { terms, dropped: row.dropped, previous });
      const next = { ...row, ...valued(this.#site, order, state, row, amount) };
      return this.#settlement.settle(previous, next, base, context);
    });
  }

  /**
   * Referrals there are stay, with the rates they were made with; one whose coupon has left the order
   * earns nothing any more. Codes that are new to the order make new ones.
   */
  #wantedReferrals(
    order: PreparedOrder,
    known: OrderRow | undefined,
    before: readonly ReferralRow[],
  ): Wanted[] {
    const creditedCodes = before.map(({ coupon_id }) => this.#attribution.codeOf(coupon_id));
    const wanted: Wanted[] = before.map((referral, i) => {
      const used = referral.via !== 'coupon' || order.codes.includes(creditedCodes[i]!);
      const terms = JSON.parse(referral.rates) as ReferralTerms;
      return { terms, row: { ...referral, dropped: used ? 0 : 1 } };
    });
    for (const credit of this.#attribution.of(order, newToOrder(order, known, creditedCodes))) {
      const { coupon, via } = credit;
      if (before.some((referral) => referral.coupon_id === coupon.id)) continue;
      // Without a coupon an order is credited once, when it comes in.
      if (via !== 'coupon' && before.length > 0) continue;
      wanted.push(newReferral(order, credit, this.#termsOf(order, coupon)));
      this.#attribution.note(this.#tx, order, credit);
    }
    return wanted;
  }

  /** A coupon has the same terms for all orders but its owner's. */
  #termsOf(order: PreparedOrder, coupon: Candidate): WrittenTerms {
    if (isOwn(this.#site, order, coupon) && !this.#site.settings.get(allowSelf)) {
      return written(termsFor(this.#site, coupon, true));
    }
    let usual = this.#usualTerms.get(coupon);
    if (!usual) {
      this.#usualTerms.set(coupon, (usual = written(termsFor(this.#site, coupon, false))));
    }
    return usual;
  }
}

/** Terms, and the text in which a referral keeps them. */
interface WrittenTerms {
  readonly terms: ReferralTerms;
  readonly rates: string;
}

function written(terms: ReferralTerms): WrittenTerms {
  return { terms, rates: JSON.stringify(terms) };
}

function toRow(order: PreparedOrder, createdMs: number, updatedMs: number): OrderRow {
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
    created_at: createdMs,
    updated_at: updatedMs,
  };
}

function isOlder(order: PreparedOrder, knownModifiedMs: number | null): boolean {
  return (
    order.modifiedAtMs !== null && knownModifiedMs !== null && order.modifiedAtMs < knownModifiedMs
  );
}

interface Wanted {
  row: Pick<
    ReferralRow,
    | 'order_id'
    | 'coupon_id'
    | 'user_id'
    | 'via'
    | 'credited_by'
    | 'click_id'
    | 'rates'
    | 'release_at'
    | 'dropped'
  >;
  terms: ReferralTerms;
}

const OWNERS_MAX = 10_000;

/** Owners by their address: hashing one costs as much as two statements. */
const ownerHashes = perSite(() => new BoundedMap<string, string>(OWNERS_MAX));

function ownerHash(site: Site, email: string): string {
  const hashes = ownerHashes(site);
  let hash = hashes.get(email);
  if (hash === undefined) {
    hashes.set(email, (hash = hashCustomer(site, { email })!));
  }
  return hash;
}

function isOwn(site: Site, order: PreparedOrder, coupon: Candidate): boolean {
  return order.customerHash !== null && order.customerHash === ownerHash(site, coupon.owner_email);
}

function newReferral(
  order: PreparedOrder,
  { coupon, via, by, clickId }: Credit,
  { terms, rates }: WrittenTerms,
): Wanted {
  return {
    terms,
    row: {
      order_id: order.orderId,
      coupon_id: coupon.id,
      user_id: coupon.user_id,
      via,
      credited_by: by,
      click_id: clickId,
      rates,
      release_at: null,
      dropped: 0,
    },
  };
}
