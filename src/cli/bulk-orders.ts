import type { Transaction } from '../db/database.ts';
import type { Site } from '../kernel/site.ts';
import { attribute, rememberLifetime } from '../modules/orders/attribution.ts';
import { hashCustomer, prepareOrder } from '../modules/orders/order-input.ts';
import { termsFor } from '../modules/orders/referral-rates.ts';
import { lifetimeAttribution } from '../modules/orders/settings.ts';
import { storeOrder } from '../modules/orders/store-order.ts';
import { Seeded } from '../shared/seeded.ts';
import { BulkBatch } from './bulk-batch.ts';
import { ReferralWorths, type BulkCoupon } from './bulk-referrals.ts';
import { OrderTemplates } from './order-templates.ts';
import { CUSTOMERS, DAY_MS, sampleCustomer, sampleInstants, sampleOrder } from './sample-orders.ts';

const SEED = 1;
const SHARE_WITH_COUPON = 0.9;
/** Short enough that a server on the same data waits a moment only. */
const ORDERS_A_TRANSACTION = 2_000;

export interface BulkPlan {
  orders: number;
  days: number;
  codes: readonly string[];
  firstId: number;
}

/**
 * Makes up orders and writes them as they would stand had each come in by itself, only much faster:
 * rows go straight into their tables, and sums are moved once a transaction. `bulk-orders.test.ts`
 * compares every table with what `storeOrder` makes of the same orders.
 */
export async function makeOrders(
  site: Site,
  plan: BulkPlan,
  onProgress: (done: number) => void,
): Promise<void> {
  const run = new BulkRun(site, plan);
  for (let done = 0; done < plan.orders;) {
    const end = Math.min(plan.orders, done + ORDERS_A_TRANSACTION);
    const start = done;
    await site.database.transaction((tx) => run.write(tx, start, end));
    onProgress((done = end));
  }
  site.forgetCallers();
}

class BulkRun {
  readonly #site: Site;
  readonly #plan: BulkPlan;
  readonly #nowMs: number;
  readonly #random = new Seeded(SEED);
  readonly #instant: (index: number) => number;
  readonly #templates: OrderTemplates;
  readonly #worths: ReferralWorths;
  readonly #coupons = new Map<string, BulkCoupon>();
  readonly #customers = new Map<number, string>();
  /** Those whose first coupon is remembered. */
  readonly #remembered = new Set<string>();

  constructor(site: Site, plan: BulkPlan) {
    this.#site = site;
    this.#plan = plan;
    this.#nowMs = site.clock();
    this.#instant = sampleInstants(this.#random, plan.orders, plan.days, this.#nowMs);
    this.#templates = new OrderTemplates(site, this.#random, this.#nowMs);
    this.#worths = new ReferralWorths(site, this.#nowMs);
  }

  async write(tx: Transaction, start: number, end: number): Promise<void> {
    // Whom an order without a coupon is credited to then depends on the orders before it.
    if (this.#site.settings.get(lifetimeAttribution)) return this.#writeOneByOne(tx, start, end);
    const batch = await BulkBatch.begin(tx, this.#site, this.#nowMs);
    for (let i = start; i < end; i++) await this.#add(tx, batch, i);
    await batch.write(tx);
  }

  async #add(tx: Transaction, batch: BulkBatch, index: number): Promise<void> {
    const code = this.#pickCode();
    // Orders tell whole seconds.
    const placedAtMs = Math.floor(this.#instant(index) / 1000) * 1000;
    const ageDays = (this.#nowMs - placedAtMs) / DAY_MS;
    const template = this.#templates.pick(ageDays, code !== undefined);
    const own = {
      orderId: this.#plan.firstId + index,
      placedAtMs,
      nowMs: this.#nowMs,
      code,
      customerHash: this.#customerHash(this.#random.between(1, CUSTOMERS)),
    };
    const day = this.#site.calendar.dayOf(placedAtMs);
    batch.addOrder(template, own, day);
    if (code === undefined) return;
    const coupon = this.#coupons.get(code) ?? (await this.#lookUp(tx, code));
    if (!batch.knows(coupon)) await batch.readBalances(tx, coupon);
    batch.addReferral(own.orderId, day, coupon, this.#worths.of(template, coupon));
    if (this.#remembered.has(own.customerHash)) return;
    this.#remembered.add(own.customerHash);
    await rememberLifetime(tx, { ...template.prepared, customerHash: own.customerHash }, coupon.id);
  }

  #pickCode(): string | undefined {
    const { codes } = this.#plan;
    const used = codes.length > 0 && this.#random.happens(SHARE_WITH_COUPON);
    return used ? this.#random.pickPopular(codes) : undefined;
  }

  async #lookUp(tx: Transaction, code: string): Promise<BulkCoupon> {
    const { prepared } = this.#templates.pick(0, true);
    const order = { ...prepared, codes: [code.toLowerCase()] };
    const [credited] = await attribute(tx, this.#site, order, new Map());
    const { id, user_id: ownerId } = credited!.coupon;
    const terms = termsFor(this.#site, credited!.coupon, false);
    const coupon = { id, ownerId, terms, rates: JSON.stringify(terms) };
    this.#coupons.set(code, coupon);
    return coupon;
  }

  #customerHash(number: number): string {
    let hash = this.#customers.get(number);
    if (hash === undefined) {
      hash = hashCustomer(this.#site, sampleCustomer(number))!;
      this.#customers.set(number, hash);
    }
    return hash;
  }

  async #writeOneByOne(tx: Transaction, start: number, end: number): Promise<void> {
    const site = this.#site;
    const sending = { actorId: 0, nowMs: this.#nowMs, coupons: new Map() };
    for (let i = start; i < end; i++) {
      const code = this.#pickCode();
      const input = sampleOrder(this.#random, site.currency, {
        orderId: this.#plan.firstId + i,
        placedAtMs: this.#instant(i),
        nowMs: this.#nowMs,
        codes: code === undefined ? [] : [code],
      });
      await storeOrder(tx, site, prepareOrder(site, input), sending);
    }
  }
}
