import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/site.ts';
import { findNamedClicks, markConversion, type NamedClicks } from '../clicks/index.ts';
import {
  findCandidates,
  findCandidatesByCode,
  findCodes,
  findLifetimeCustomers,
  rememberCustomers,
  type Candidate,
} from './candidate-store.ts';
import type { NewToOrder } from './new-to-order.ts';
import type { PreparedOrder } from './order-input.ts';
import { lifetimeAttribution } from './settings.ts';

export type Via = 'coupon' | 'link' | 'lifetime' | 'manual';

export interface Credit {
  readonly coupon: Candidate;
  readonly via: Via;
  /** The click it is a conversion of. */
  readonly clickId: number | null;
}

/**
 * Whom orders are credited to. What that rests on is read once for all orders of a transaction; what
 * one of them brings about, the ones after it find.
 */
export class Attribution {
  readonly #keepsCustomers: boolean;
  readonly #byCode = new Map<string, Candidate>();
  readonly #byId = new Map<number, Candidate>();
  readonly #codes = new Map<number, string>();
  readonly #lifetime = new Map<string, number>();
  readonly #remembered = new Map<string, number>();
  readonly #conversions: { clickId: number; orderId: number }[] = [];
  #clicks: NamedClicks = () => undefined;

  private constructor(site: Site) {
    this.#keepsCustomers = site.settings.get(lifetimeAttribution);
  }

  static async read(
    tx: Transaction,
    site: Site,
    orders: readonly PreparedOrder[],
  ): Promise<Attribution> {
    const attribution = new Attribution(site);
    await attribution.#read(tx, site, orders);
    return attribution;
  }

  async #read(tx: Transaction, site: Site, orders: readonly PreparedOrder[]): Promise<void> {
    const codes = new Set(orders.flatMap((order) => order.codes));
    const clickIds = new Set(orders.map((order) => order.clickId).filter((id) => id !== null));
    const hashes = this.#keepsCustomers ? orders.map((order) => order.customerHash) : [];
    const [found, clicks, customers] = await Promise.all([
      findCandidatesByCode(tx, codes),
      findNamedClicks(tx, site, clickIds),
      findLifetimeCustomers(tx, new Set(hashes.filter((hash) => hash !== null))),
    ]);
    // Codes are not unique: the oldest coupon that is in force gets the order.
    for (const coupon of found.sort((a, b) => a.id - b.id)) {
      if (!this.#byCode.has(coupon.code_folded)) this.#byCode.set(coupon.code_folded, coupon);
      this.#add(coupon);
    }
    this.#clicks = clicks.find;
    for (const { customer_hash, coupon_id } of customers) {
      this.#lifetime.set(customer_hash, coupon_id);
    }
    const others = new Set([...clicks.couponIds, ...this.#lifetime.values()]);
    for (const id of this.#byId.keys()) others.delete(id);
    for (const coupon of await findCandidates(tx, others)) this.#add(coupon);
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
   * The coupons used in an order; else the referral link's click within the cookie window; else the
   * customer's lifetime affiliate, where that is switched on. Only what is new to the order counts.
   */
  of(order: PreparedOrder, newTo: NewToOrder): Credit[] {
    const click =
      order.clickId === null ? undefined : this.#clicks(order.clickId, order.placedAtMs);
    const credit = (coupon: Candidate, via: Via): Credit => ({
      coupon,
      via,
      // A conversion of the click, also where the coupon itself was used.
      clickId: click?.coupon_id === coupon.id ? click.id : null,
    });
    const used: Candidate[] = [];
    for (const code of newTo.codes) {
      const coupon = this.#byCode.get(code);
      if (coupon && !used.includes(coupon)) used.push(coupon);
    }
    if (used.length > 0) return used.map((coupon) => credit(coupon, 'coupon'));

    const clicked = newTo.click && click ? this.#byId.get(click.coupon_id) : undefined;
    if (clicked) return [credit(clicked, 'link')];

    if (!this.#keepsCustomers || !newTo.customer || order.customerHash === null) return [];
    const kept = this.#byId.get(this.#lifetime.get(order.customerHash) ?? 0);
    return kept ? [credit(kept, 'lifetime')] : [];
  }

  /** An order was credited: the first coupon that brought a customer keeps them, a click converts once. */
  note(order: PreparedOrder, { coupon, via, clickId }: Credit): void {
    const { customerHash } = order;
    if (via !== 'lifetime' && customerHash !== null && !this.#lifetime.has(customerHash)) {
      this.#lifetime.set(customerHash, coupon.id);
      this.#remembered.set(customerHash, coupon.id);
    }
    if (clickId !== null) this.#conversions.push({ clickId, orderId: order.orderId });
  }

  async write(tx: Transaction): Promise<void> {
    const customers = Array.from(this.#remembered, ([customer_hash, coupon_id]) => ({
      customer_hash,
      coupon_id,
    }));
    await Promise.all([
      tx.runAll(rememberCustomers, customers),
      ...this.#conversions.map(({ clickId, orderId }) => markConversion(tx, clickId, orderId)),
    ]);
  }
}
