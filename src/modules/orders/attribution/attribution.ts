import type { Reader, Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import {
  convertClicks,
  findCreditableClicks,
  inheritOrderSource,
  storeOrderSources,
  toOrderSource,
  type OrderSource,
} from '../../clicks/index.ts';
import type { OrderInput } from '../order-fields.ts';
import { foldOrderCode, type PreparedOrder, foldCodes } from '../order-input.ts';
import type { ReferralRow, OrderRow } from '../order-rows.ts';
import type { CreditingField, Via } from '../tables.ts';
import { Accounts } from './accounts.ts';
import type { Candidate } from './candidate-rows.ts';
import { readLifetimeCustomers } from './lifetime-customers.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface Credit {
  readonly coupon: Candidate;
  readonly via: Via;
  readonly by: CreditingField;
  /** The click that the order converts. */
  readonly clickId: number | null;
  /** What the link of that click said about its place; null if nothing. */
  readonly source: string | null;
}

class PendingAttributions implements PendingWrites {
  /** By click, the first order that it led to. */
  readonly conversions = new Map<number, number>();
  readonly sources: OrderSource[] = [];
  readonly renewals: { order_id: number; first_order_id: number; coupon_id: number }[] = [];

  async flush(tx: Transaction): Promise<void> {
    const conversions = Array.from(this.conversions, ([clickId, orderId]) => ({
      clickId,
      orderId,
    }));
    await Promise.all([convertClicks(tx, conversions), storeOrderSources(tx, this.sources)]);
    // The order that is renewed may be one of the same transaction.
    for (const renewal of this.renewals) await inheritOrderSource(tx, renewal);
  }
}

const attributions = defineWrites({
  name: 'attribution',
  create: () => new PendingAttributions(),
});

export type Attribution = Awaited<ReturnType<typeof readAttribution>>;

/**
 * Finds the accounts that orders are credited to. It reads what that depends on once for all orders of a transaction; an
 * order also sees what the orders before it have changed.
 */
export async function readAttribution(
  db: Reader,
  site: Site,
  orders: readonly PreparedOrder[],
  subscriptions: Subscriptions,
) {
  const codes = new Set(orders.flatMap((order) => order.codes));
  for (const { referralCode } of orders) {
    if (referralCode !== null) codes.add(foldOrderCode(referralCode));
  }
  const accounts = new Accounts();
  const [clicks, customers] = await Promise.all([
    findCreditableClicks(db, site, orders),
    readLifetimeCustomers(db, site, orders),
    accounts.readByCode(db, codes),
  ]);
  await accounts.readByIds(db, clicks.couponIds);
  const keys = [...customers.accounts(), ...subscriptions.referrals()];
  const earliest = Math.min(...orders.map(({ placedAtMs }) => placedAtMs));
  await accounts.readOthers(db, keys, earliest);

  /** Whether an order still has what its referral was credited for: only the code of a coupon can be removed. */
  function isCredited(order: PreparedOrder, { credited_by, coupon_id }: ReferralRow): boolean {
    return credited_by !== 'coupon_codes' || order.codes.includes(accounts.codeOf(coupon_id)!);
  }

  /**
   * The coupons used in an order; else the referral link: the click it names, its visitor's last click, or the code of
   * the link. Each belongs to the affiliate who had it when the order was placed.
   */
  function leadingTo(order: PreparedOrder, fields: LeadingFields): Credit[] {
    const { placedAtMs } = order;
    const named = clicks.named(order);
    const visited = clicks.lastOfVisitor(order);
    const credit = (coupon: Candidate, via: Via, by: CreditingField): Credit => {
      // The order converts the click, even if it used the coupon itself.
      const click = [named, visited].find((clicked) => clicked?.coupon_id === coupon.id);
      return { coupon, via, by, clickId: click?.id ?? null, source: click?.source ?? null };
    };
    const used: Candidate[] = [];
    for (const code of fields.codes) {
      const coupon = accounts.withCode(code, placedAtMs);
      if (coupon && !used.includes(coupon)) used.push(coupon);
    }
    if (used.length > 0) return used.map((coupon) => credit(coupon, 'coupon', 'coupon_codes'));

    const clicked = fields.clickId !== null && named && accounts.at(named.coupon_id, placedAtMs);
    if (clicked) return [credit(clicked, 'link', 'click_id')];
    const seen =
      fields.visitorHash !== null && visited && accounts.at(visited.coupon_id, placedAtMs);
    if (seen) return [credit(seen, 'link', 'visitor')];
    const { referralCode } = fields;
    const linked =
      referralCode !== null && accounts.withCode(foldOrderCode(referralCode), placedAtMs);
    return linked ? [credit(linked, 'link', 'referral_code')] : [];
  }

  /** The account that the customer of an order belongs to, where the setting says that customers stay. */
  function lifetime(order: PreparedOrder): Credit[] {
    const key = customers.accountOf(order);
    const coupon = key && accounts.of(key);
    if (coupon?.coupon_status !== 'active') return [];
    return [{ coupon, via: 'lifetime', by: 'customer', clickId: null, source: null }];
  }

  /** Records a credit of an order that counts: a click converts once, and a customer belongs to the affiliate who brought them. */
  function record(
    tx: Transaction,
    order: PreparedOrder,
    { coupon, via, clickId, source }: Credit,
  ): void {
    const account = { coupon_id: coupon.id, user_id: coupon.user_id };
    customers.note(tx, order, account, via);
    if (clickId === null) return;
    const { conversions, sources } = tx.pending(attributions);
    if (!conversions.has(clickId)) conversions.set(clickId, order.orderId);
    if (source === null) return;
    const key = { order_id: order.orderId, coupon_id: coupon.id, click_id: clickId };
    sources.push(toOrderSource(key, source));
  }

  /**
   * Records that an order renews another one: it has the sub-ids and the creative of that order, because it is a sale of the
   * same link. It converts no click, because the click led to one order. Orders without a click before them take no
   * statement more.
   */
  function recordRenewal(
    tx: Transaction,
    { orderId }: PreparedOrder,
    first: Pick<ReferralRow, 'order_id' | 'coupon_id' | 'click_id'>,
  ): void {
    if (first.click_id === null) return;
    const { order_id: first_order_id, coupon_id } = first;
    tx.pending(attributions).renewals.push({ order_id: orderId, first_order_id, coupon_id });
  }

  return {
    accounts,
    clickIds: clicks.ids,
    isCredited,
    leadingTo,
    lifetime,
    record,
    recordRenewal,
    emitChanges: customers.emitChanges,
  };
}

/** The fields of an order that may lead to a coupon; null for one that is not asked. */
type LeadingFields = Pick<PreparedOrder, 'codes' | 'clickId' | 'visitorHash' | 'referralCode'>;

/**
 * The fields that a version of a decided order adds or changes. It stays with the coupons it was credited to, even if their
 * codes have changed since. A code, click or visitor that led to no coupon when it was decided is not looked up again: an
 * old order never credits a coupon that was created or enabled later.
 */
export function newFields(
  order: PreparedOrder,
  known: OrderRow,
  /** The codes of the coupons that the order was ever credited to. */
  creditedCodes: readonly (string | undefined)[],
): LeadingFields {
  const { clickId, visitorHash, referralCode } = order;
  return {
    codes: newCodes(order, known, creditedCodes),
    clickId: clickId === known.click_id ? null : clickId,
    visitorHash: visitorHash === known.visitor_hash ? null : visitorHash,
    referralCode: isSameCode(referralCode, known.referral_code) ? null : referralCode,
  };
}

function newCodes(
  order: PreparedOrder,
  known: OrderRow,
  creditedCodes: readonly (string | undefined)[],
): string[] {
  const codes = order.codes.filter((code) => !creditedCodes.includes(code));
  // Most changes bring no other code, so the stored content need not be parsed.
  if (codes.length === 0) return codes;
  const earlier = JSON.parse(known.content) as Pick<OrderInput, 'coupon_codes'>;
  const earlierCodes = foldCodes(earlier.coupon_codes);
  return codes.filter((code) => !earlierCodes.includes(code));
}

function isSameCode(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return foldOrderCode(one) === foldOrderCode(other);
}
