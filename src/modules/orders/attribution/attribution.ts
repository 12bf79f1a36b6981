import type { Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import {
  convertClicks,
  findCreditableClicks,
  storeOrderSources,
  toOrderSource,
  type CreditableClicks,
  type OrderSource,
} from '../../clicks/index.ts';
import type { OrderInput } from '../order-fields.ts';
import { foldCodes, foldOrderCode, type PreparedOrder } from '../order-input.ts';
import type { OrderRow, ReferralRow } from '../order-rows.ts';
import { lifetimeAttribution, lifetimeExtends, stayEndsMs } from '../settings.ts';
import {
  findCandidates,
  findCandidatesByCode,
  findCodes,
  findLifetimeCustomers,
  findRenewed,
  rememberCustomers,
  type Candidate,
  type LifetimeCustomer,
} from './candidate-rows.ts';
import { replaceCustomers } from '../customers/owner-rows.ts';
import type { CreditingField, Via } from '../tables.ts';
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
  /** By hash, customers who were brought by their first coupon, and those whose time starts again. */
  readonly customers = new Map<string, LifetimeCustomer>();
  readonly replaced = new Map<string, LifetimeCustomer>();
  /** By click, the first order that it led to. */
  readonly conversions = new Map<number, number>();
  readonly sources: OrderSource[] = [];

  async flush(tx: Transaction): Promise<void> {
    const conversions = Array.from(this.conversions, ([clickId, orderId]) => ({
      clickId,
      orderId,
    }));
    await Promise.all([
      tx.runMany(rememberCustomers, [...this.customers.values()]),
      convertClicks(tx, conversions),
      storeOrderSources(tx, this.sources),
    ]);
    await tx.runMany(replaceCustomers, [...this.replaced.values()]);
  }
}

const attributions = defineWrites({
  name: 'attribution',
  create: () => new PendingAttributions(),
});

/**
 * Finds the coupons that orders are credited to. It reads what that depends on once for all orders of a
 * transaction; an order also sees what the orders before it have changed.
 */
export class Attribution {
  readonly #remembersCustomers: boolean;
  readonly #byCode = new Map<string, Candidate>();
  readonly #byId = new Map<number, Candidate>();
  readonly #codes = new Map<number, string>();
  readonly #lifetime: Map<string, LifetimeCustomer>;
  readonly #site: Site;
  readonly #clicks: CreditableClicks;
  /** Coupons that get the renewals of subscriptions. */
  readonly #renewed = new Map<number, Candidate>();

  private constructor(
    site: Site,
    remembersCustomers: boolean,
    clicks: CreditableClicks,
    customers: readonly LifetimeCustomer[],
  ) {
    this.#site = site;
    this.#remembersCustomers = remembersCustomers;
    this.#clicks = clicks;
    this.#lifetime = new Map(customers.map((row) => [row.customer_hash, row]));
  }

  static async read(
    tx: Transaction,
    site: Site,
    orders: readonly PreparedOrder[],
    subscriptions: Subscriptions,
  ): Promise<Attribution> {
    const codes = new Set(orders.flatMap((order) => order.codes));
    for (const { referralCode } of orders) {
      if (referralCode !== null) codes.add(foldOrderCode(referralCode));
    }
    const remembersCustomers = site.settings.get(lifetimeAttribution);
    const hashes = remembersCustomers ? orders.map((order) => order.customerHash) : [];
    const renewed = new Set(subscriptions.referrals().map(({ coupon_id }) => coupon_id));
    const [found, clicks, customers, ofRenewals] = await Promise.all([
      findCandidatesByCode(tx, codes),
      findCreditableClicks(tx, site, orders),
      findLifetimeCustomers(tx, new Set(hashes.filter((hash) => hash !== null))),
      findRenewed(tx, renewed),
    ]);
    const attribution = new Attribution(site, remembersCustomers, clicks, customers);
    for (const coupon of ofRenewals) attribution.#renewed.set(coupon.id, coupon);
    attribution.#addByCode(found);
    const others = new Set([...clicks.couponIds, ...customers.map((row) => row.coupon_id)]);
    for (const id of attribution.#byId.keys()) others.delete(id);
    for (const coupon of await findCandidates(tx, others)) attribution.#add(coupon);
    return attribution;
  }

  /** Codes are not unique: the oldest active coupon gets the order. */
  #addByCode(found: readonly Candidate[]): void {
    for (const coupon of found.toSorted((a, b) => a.id - b.id)) {
      if (!this.#byCode.has(coupon.code_folded)) this.#byCode.set(coupon.code_folded, coupon);
      this.#add(coupon);
    }
  }

  #add(coupon: Candidate): void {
    this.#byId.set(coupon.id, coupon);
    this.#codes.set(coupon.id, coupon.code_folded);
  }

  /** Reads the codes of coupons that orders were credited to before, whether they are still active or not. */
  async readCodes(tx: Transaction, couponIds: Iterable<number>): Promise<void> {
    const unknown = new Set(couponIds);
    for (const id of this.#codes.keys()) unknown.delete(id);
    for (const { id, code_folded } of await findCodes(tx, unknown)) {
      this.#codes.set(id, code_folded);
    }
  }

  get clickIds(): ReadonlySet<number> {
    return this.#clicks.ids;
  }

  /** All affiliates who may get a referral. */
  affiliateIds(): Set<number> {
    const all = [...this.#byId.values(), ...this.#renewed.values()];
    return new Set(all.map((coupon) => coupon.user_id));
  }

  /** Whether an order still has what its referral was credited for: only the code of a coupon can be removed. */
  isCredited(order: PreparedOrder, { credited_by, coupon_id }: ReferralRow): boolean {
    return credited_by !== 'coupon_codes' || order.codes.includes(this.#codes.get(coupon_id)!);
  }

  /** The coupon that got the first payment of a subscription; undefined if its affiliate is suspended or gone. */
  renewedCoupon(couponId: number): Candidate | undefined {
    return this.#renewed.get(couponId) ?? this.#byId.get(couponId);
  }

  /**
   * The coupons used in an order; else the referral link: the click it names, its visitor's last click,
   * or the code of the link; else the customer's lifetime affiliate, where that is switched on. Only
   * what is new to the order counts.
   */
  creditsFor(
    order: PreparedOrder,
    known: OrderRow | undefined,
    referrals: readonly ReferralRow[],
  ): Credit[] {
    const added = newFields(
      order,
      known,
      referrals.map(({ coupon_id }) => this.#codes.get(coupon_id)),
    );
    const named = this.#clicks.named(order);
    const visited = this.#clicks.lastOfVisitor(order);
    const credit = (coupon: Candidate, via: Via, by: CreditingField): Credit => {
      // The order converts the click, even if it used the coupon itself.
      const click = [named, visited].find((clicked) => clicked?.coupon_id === coupon.id);
      return { coupon, via, by, clickId: click?.id ?? null, source: click?.source ?? null };
    };
    const used: Candidate[] = [];
    for (const code of added.codes) {
      const coupon = this.#byCode.get(code);
      if (coupon && !used.includes(coupon)) used.push(coupon);
    }
    if (used.length > 0) return used.map((coupon) => credit(coupon, 'coupon', 'coupon_codes'));

    const clicked = added.click && named && this.#byId.get(named.coupon_id);
    if (clicked) return [credit(clicked, 'link', 'click_id')];
    const seen = added.visitor && visited && this.#byId.get(visited.coupon_id);
    if (seen) return [credit(seen, 'link', 'visitor')];
    const { referralCode } = order;
    const linked =
      added.referralCode && referralCode !== null && this.#byCode.get(foldOrderCode(referralCode));
    if (linked) return [credit(linked, 'link', 'referral_code')];

    if (!this.#remembersCustomers || !added.customer) return [];
    const lifetime = this.#byId.get(this.#staying(order)?.coupon_id ?? 0);
    return lifetime ? [credit(lifetime, 'lifetime', 'customer')] : [];
  }

  /** Records a credit: a customer stays with the first coupon that brought them, and a click converts once. */
  record(tx: Transaction, order: PreparedOrder, { coupon, via, clickId, source }: Credit): void {
    this.#recordCustomer(tx, order, coupon, via);
    if (clickId === null) return;
    const { conversions, sources } = tx.pending(attributions);
    if (!conversions.has(clickId)) conversions.set(clickId, order.orderId);
    if (source === null) return;
    const key = { order_id: order.orderId, coupon_id: coupon.id, click_id: clickId };
    sources.push(toOrderSource(key, source));
  }

  /** The coupon that the customer of an order stays with; undefined after its time. */
  #staying({ customerHash, placedAtMs }: PreparedOrder): LifetimeCustomer | undefined {
    const known = customerHash === null ? undefined : this.#lifetime.get(customerHash);
    return known && placedAtMs <= stayEndsMs(this.#site, known.credited_at) ? known : undefined;
  }

  #recordCustomer(tx: Transaction, order: PreparedOrder, coupon: Candidate, via: Via): void {
    const { customerHash: customer_hash, placedAtMs: credited_at } = order;
    if (customer_hash === null) return;
    const known = this.#lifetime.get(customer_hash);
    // Then customers of earlier transactions are not read, and none of them is replaced.
    if (known && !this.#remembersCustomers) return;
    const staying = this.#staying(order);
    if (!staying && via !== 'lifetime') {
      const row = { customer_hash, coupon_id: coupon.id, credited_at };
      this.#lifetime.set(customer_hash, row);
      const { customers, replaced } = tx.pending(attributions);
      (known ? replaced : customers).set(customer_hash, row);
      return;
    }
    const isLater = staying?.coupon_id === coupon.id && (staying.credited_at ?? 0) < credited_at;
    if (!isLater || !this.#site.settings.get(lifetimeExtends)) return;
    const row = { ...staying, credited_at };
    this.#lifetime.set(customer_hash, row);
    tx.pending(attributions).replaced.set(customer_hash, row);
  }
}

/** The fields of an order that may still lead to a coupon: those that this version adds or changes. */
interface NewFields {
  readonly codes: readonly string[];
  readonly click: boolean;
  readonly visitor: boolean;
  readonly referralCode: boolean;
  readonly customer: boolean;
}

/**
 * A known order stays with the coupons it was credited to, even if their codes have changed since. A code, click,
 * visitor or customer that led to no coupon when it came is not looked up again: an old order never credits a
 * coupon that was created or enabled later.
 */
function newFields(
  order: PreparedOrder,
  known: OrderRow | undefined,
  /** The codes of the coupons that the order was ever credited to. */
  creditedCodes: readonly (string | undefined)[],
): NewFields {
  if (!known) {
    return { codes: order.codes, click: true, visitor: true, referralCode: true, customer: true };
  }
  return {
    codes: newCodes(order, known, creditedCodes),
    click: order.clickId !== known.click_id,
    visitor: order.visitorHash !== known.visitor_hash,
    referralCode: !isSameCode(order.referralCode, known.referral_code),
    customer: order.customerHash !== known.customer_hash,
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
