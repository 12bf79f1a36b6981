import type { Transaction } from '../../db/database.ts';
import { perSite, type Site } from '../../kernel/site.ts';
import {
  attribute,
  isCouponUsed,
  rememberLifetime,
  type Candidate,
  type KnownCoupons,
  type Via,
} from './attribution.ts';
import { markConversion } from '../clicks/index.ts';
import { computeCommission } from './commission.ts';
import { FigureChanges, storeFiguresOf } from './figures.ts';
import { hashCustomer, type PreparedOrder } from './order-input.ts';
import { findOrder, listReferrals, saveOrder, type ReferralRow } from './order-store.ts';
import { settleReferral } from './settle-referral.ts';
import { termsFor, type ReferralTerms } from './referral-rates.ts';
import type { ReferralState, Sending } from './sending.ts';
import { allowSelf, countedStatuses, grantedStatuses } from './settings.ts';

export interface StoredOrder {
  readonly isNew: boolean;
  readonly referrals: readonly ReferralRow[];
}

/**
 * Takes in one order: any number of times, in any sequence of statuses. What it was and what it is
 * now are compared, and only the difference is posted. The same order again, or an older version of
 * it, changes nothing and tells nobody.
 */
export async function storeOrder(
  tx: Transaction,
  site: Site,
  order: PreparedOrder,
  sending: Sending,
): Promise<StoredOrder> {
  const known = await findOrder(tx, order.orderId);
  const before = known ? await listReferrals(tx, order.orderId) : [];
  if (known && (known.content === order.content || isOlder(order, known.modified_at))) {
    return { isNew: false, referrals: before };
  }
  await saveOrder(tx, {
    order_id: order.orderId,
    placed_at: order.placedAtMs,
    day: order.day,
    status: order.status,
    currency: order.currency,
    total: order.total,
    discount: order.discount,
    shipping: order.shipping,
    refunded: order.refunded,
    modified_at: order.modifiedAtMs,
    customer_hash: order.customerHash,
    content: order.content,
    created_at: sending.nowMs,
    updated_at: sending.nowMs,
  });

  const wanted = await wantedReferrals(tx, site, order, before, sending.coupons ?? new Map());
  const after: ReferralRow[] = [];
  const figures = sending.figures ?? new FigureChanges();
  for (const { row, terms } of wanted) {
    const previous = before.find((referral) => referral.coupon_id === row.coupon_id);
    const { amount, base } = computeCommission(
      order.figures,
      terms.rates,
      terms.rules,
      order.exchange,
    );
    const next = { ...row, ...valued(site, order, terms, row, amount) };
    const settled = await settleReferral(tx, site, previous, next, base, sending);
    figures.moveCoupon(previous, settled);
    after.push(settled);
  }
  figures.moveStore(known && { day: known.day, figures: storeFiguresOf(before) }, {
    day: order.day,
    figures: storeFiguresOf(after),
  });
  if (!sending.figures) await figures.write(tx, site);
  return { isNew: !known, referrals: after };
}

function isOlder(order: PreparedOrder, knownModifiedMs: number | null): boolean {
  return (
    order.modifiedAtMs !== null && knownModifiedMs !== null && order.modifiedAtMs < knownModifiedMs
  );
}

interface Wanted {
  row: Pick<ReferralRow, 'order_id' | 'coupon_id' | 'user_id' | 'via' | 'rates' | 'release_at'> & {
    dropped: boolean;
  };
  terms: ReferralTerms;
}

/**
 * Referrals there are stay, with the rates they were made with; one whose coupon has left the order
 * earns nothing any more. Coupons that are new to the order make new ones.
 */
async function wantedReferrals(
  tx: Transaction,
  site: Site,
  order: PreparedOrder,
  before: readonly ReferralRow[],
  known: KnownCoupons,
): Promise<Wanted[]> {
  const wanted: Wanted[] = [];
  for (const referral of before) {
    const used = referral.via !== 'coupon' || (await isCouponUsed(tx, referral.coupon_id, order));
    wanted.push({
      terms: JSON.parse(referral.rates) as ReferralTerms,
      row: { ...referral, dropped: !used },
    });
  }
  for (const { coupon, via, clickId } of await attribute(tx, site, order, known)) {
    if (before.some((referral) => referral.coupon_id === coupon.id)) continue;
    // Without a coupon an order is credited once, when it comes in.
    if (via !== 'coupon' && before.length > 0) continue;
    wanted.push(newReferral(site, order, coupon, via));
    if (via !== 'lifetime') await rememberLifetime(tx, order, coupon.id);
    if (clickId !== null) await markConversion(tx, clickId, order.orderId);
  }
  return wanted;
}

const OWNERS_MAX = 10_000;

/** Owners by their address: hashing one costs as much as two statements. */
const ownerHashes = perSite(() => new Map<string, string>());

function ownerHash(site: Site, email: string): string {
  const hashes = ownerHashes(site);
  let hash = hashes.get(email);
  if (hash === undefined) {
    if (hashes.size >= OWNERS_MAX) hashes.clear();
    hashes.set(email, (hash = hashCustomer(site, { email })!));
  }
  return hash;
}

/** A coupon that was looked up once has the same terms for all orders of the transaction. */
const usualTerms = new WeakMap<Candidate, { terms: ReferralTerms; rates: string }>();

function termsOf(site: Site, coupon: Candidate, self: boolean) {
  const usual = self ? undefined : usualTerms.get(coupon);
  if (usual) return usual;
  const terms = termsFor(site, coupon, self);
  const made = { terms, rates: JSON.stringify(terms) };
  if (!self) usualTerms.set(coupon, made);
  return made;
}

function newReferral(site: Site, order: PreparedOrder, coupon: Candidate, via: Via): Wanted {
  const self =
    order.customerHash !== null && order.customerHash === ownerHash(site, coupon.owner_email);
  const { terms, rates } = termsOf(site, coupon, self && !site.settings.get(allowSelf));
  return {
    terms,
    row: {
      order_id: order.orderId,
      coupon_id: coupon.id,
      user_id: coupon.user_id,
      via,
      rates,
      release_at: null,
      dropped: false,
    },
  };
}

/** What the order makes of a referral now. */
function valued(
  site: Site,
  order: PreparedOrder,
  terms: ReferralTerms,
  row: Wanted['row'],
  commission: number,
) {
  const counts = site.settings.get(countedStatuses).includes(order.status) && !row.dropped;
  const earns = !terms.self && !row.dropped;
  return {
    day: order.day,
    status: order.status,
    commission: earns ? commission : 0,
    state: earns ? stateOf(site, order) : ('void' as const),
    counted: counts ? 1 : 0,
    sales: order.total - order.refunded,
    discount: order.discount,
    shipping: order.shipping,
  };
}

function stateOf(site: Site, order: PreparedOrder): ReferralState {
  if (site.settings.get(grantedStatuses).includes(order.status)) return 'granted';
  return site.settings.get(countedStatuses).includes(order.status) ? 'awaiting' : 'void';
}
