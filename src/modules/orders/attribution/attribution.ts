import type { Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { convertClicks, findCreditableClicks, type CreditableClicks } from '../../clicks/index.ts';
import {
  findCandidates,
  findCandidatesByCode,
  findCodes,
  findLifetimeCustomers,
  rememberCustomers,
  type Candidate,
  type LifetimeCustomer,
} from './candidate-store.ts';
import type { NewToOrder } from './new-to-order.ts';
import { foldOrderCode, type PreparedOrder } from '../order-input.ts';
import { lifetimeAttribution } from '../settings.ts';

export type Via = 'coupon' | 'link' | 'lifetime' | 'manual';

/** The field of an order that leads to a coupon. */
export const creditingFields = [
  'coupon_codes',
  'click_id',
  'visitor',
  'referral_code',
  'customer',
] as const;
export type CreditingField = (typeof creditingFields)[number];

export interface Credit {
  readonly coupon: Candidate;
  readonly via: Via;
  readonly by: CreditingField;
  /** The click it is a conversion of. */
  readonly clickId: number | null;
}

class PendingAttributions implements PendingWrites {
  /** By hash of the customer, the coupon that brought them. */
  readonly customers = new Map<string, number>();
  /** By click, the first order that it led to. */
  readonly conversions = new Map<number, number>();

  async flush(tx: Transaction): Promise<void> {
    const customers = Array.from(this.customers, ([customer_hash, coupon_id]) => ({
      customer_hash,
      coupon_id,
    }));
    const conversions = Array.from(this.conversions, ([clickId, orderId]) => ({
      clickId,
      orderId,
    }));
    await Promise.all([tx.runMany(rememberCustomers, customers), convertClicks(tx, conversions)]);
  }
}

const attributions = defineWrites({
  name: 'attribution',
  create: () => new PendingAttributions(),
});

/**
 * Whom orders are credited to. What that rests on is read once for all orders of a transaction; what
 * one of them brings about, the ones after it find.
 */
export class Attribution {
  readonly #keepsCustomers: boolean;
  readonly #byCode = new Map<string, Candidate>();
  readonly #byId = new Map<number, Candidate>();
  readonly #codes = new Map<number, string>();
  readonly #lifetime: Map<string, number>;
  readonly #clicks: CreditableClicks;

  private constructor(
    keepsCustomers: boolean,
    clicks: CreditableClicks,
    customers: readonly LifetimeCustomer[],
  ) {
    this.#keepsCustomers = keepsCustomers;
    this.#clicks = clicks;
    this.#lifetime = new Map(customers.map((row) => [row.customer_hash, row.coupon_id]));
  }

  static async read(
    tx: Transaction,
    site: Site,
    orders: readonly PreparedOrder[],
  ): Promise<Attribution> {
    const codes = new Set(orders.flatMap((order) => order.codes));
    for (const { referralCode } of orders) {
      if (referralCode !== null) codes.add(foldOrderCode(referralCode));
    }
    const keepsCustomers = site.settings.get(lifetimeAttribution);
    const hashes = keepsCustomers ? orders.map((order) => order.customerHash) : [];
    const [found, clicks, customers] = await Promise.all([
      findCandidatesByCode(tx, codes),
      findCreditableClicks(tx, site, orders),
      findLifetimeCustomers(tx, new Set(hashes.filter((hash) => hash !== null))),
    ]);
    const attribution = new Attribution(keepsCustomers, clicks, customers);
    attribution.#addByCode(found);
    const others = new Set([...clicks.couponIds, ...attribution.#lifetime.values()]);
    for (const id of attribution.#byId.keys()) others.delete(id);
    for (const coupon of await findCandidates(tx, others)) attribution.#add(coupon);
    return attribution;
  }

  /** Codes are not unique: the oldest coupon that is in force gets the order. */
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

  /** Coupons that orders were credited to before: their codes count, whatever has become of them. */
  async readCodes(tx: Transaction, couponIds: Iterable<number>): Promise<void> {
    const unknown = new Set(couponIds);
    for (const id of this.#codes.keys()) unknown.delete(id);
    for (const { id, code_folded } of await findCodes(tx, unknown)) {
      this.#codes.set(id, code_folded);
    }
  }

  /** Everybody who may get a referral. */
  affiliateIds(): Set<number> {
    return new Set(this.#byId.values().map((coupon) => coupon.user_id));
  }

  /** The code of a coupon that an order was credited to. */
  codeOf(couponId: number): string | undefined {
    return this.#codes.get(couponId);
  }

  /**
   * The coupons used in an order; else the referral link: the click it names, its visitor's last click,
   * or the code of the link; else the customer's lifetime affiliate, where that is switched on. Only
   * what is new to the order counts.
   */
  of(order: PreparedOrder, newTo: NewToOrder): Credit[] {
    const named = this.#clicks.named(order);
    const visited = this.#clicks.lastOfVisitor(order);
    const credit = (coupon: Candidate, via: Via, by: CreditingField): Credit => {
      // A conversion of the click, also where the coupon itself was used.
      const click = [named, visited].find((clicked) => clicked?.coupon_id === coupon.id);
      return { coupon, via, by, clickId: click?.id ?? null };
    };
    const used: Candidate[] = [];
    for (const code of newTo.codes) {
      const coupon = this.#byCode.get(code);
      if (coupon && !used.includes(coupon)) used.push(coupon);
    }
    if (used.length > 0) return used.map((coupon) => credit(coupon, 'coupon', 'coupon_codes'));

    const clicked = newTo.click && named && this.#byId.get(named.coupon_id);
    if (clicked) return [credit(clicked, 'link', 'click_id')];
    const seen = newTo.visitor && visited && this.#byId.get(visited.coupon_id);
    if (seen) return [credit(seen, 'link', 'visitor')];
    const { referralCode, customerHash } = order;
    const linked =
      newTo.referralCode && referralCode !== null && this.#byCode.get(foldOrderCode(referralCode));
    if (linked) return [credit(linked, 'link', 'referral_code')];

    if (!this.#keepsCustomers || !newTo.customer || customerHash === null) return [];
    const kept = this.#byId.get(this.#lifetime.get(customerHash) ?? 0);
    return kept ? [credit(kept, 'lifetime', 'customer')] : [];
  }

  /** An order was credited: the first coupon that brought a customer keeps them, a click converts once. */
  note(tx: Transaction, order: PreparedOrder, { coupon, via, clickId }: Credit): void {
    const { customerHash } = order;
    if (via !== 'lifetime' && customerHash !== null && !this.#lifetime.has(customerHash)) {
      this.#lifetime.set(customerHash, coupon.id);
      tx.pending(attributions).customers.set(customerHash, coupon.id);
    }
    if (clickId === null) return;
    const { conversions } = tx.pending(attributions);
    if (!conversions.has(clickId)) conversions.set(clickId, order.orderId);
  }
}
