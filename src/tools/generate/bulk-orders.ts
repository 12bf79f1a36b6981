import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hashCustomer } from '../../modules/orders/customers/hash-customer.ts';
import { ingestOrders } from '../../modules/orders/ingest-orders.ts';
import type { PreparedOrder } from '../../modules/orders/order-input.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { SeededRandom } from '../../shared/seeded.ts';
import { OrderTemplates } from './order-templates.ts';
import { CUSTOMERS, sampleCustomer, sampleInstants } from './sample-orders.ts';

const SEED = 1;
const SHARE_WITH_COUPON = 0.9;
/** Small enough that a server on the same data waits only briefly. */
const ORDERS_A_TRANSACTION = 2_000;

export interface BulkPlan {
  orders: number;
  days: number;
  codes: readonly string[];
  firstId: number;
}

/**
 * Makes up orders and takes them in, many in a transaction. `bulk-orders.test.ts` compares every table
 * with what becomes of the same orders one by one.
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
  site.invalidateCaches();
}

class BulkRun {
  readonly #site: Site;
  readonly #plan: BulkPlan;
  readonly #nowMs: number;
  readonly #random = new SeededRandom(SEED);
  readonly #instant: (index: number) => number;
  readonly #templates: OrderTemplates;
  readonly #customers = new Map<number, string>();

  constructor(site: Site, plan: BulkPlan) {
    this.#site = site;
    this.#plan = plan;
    this.#nowMs = site.clock();
    this.#instant = sampleInstants(this.#random, plan.orders, plan.days, this.#nowMs);
    this.#templates = new OrderTemplates(site, this.#random, this.#nowMs);
  }

  async write(tx: Transaction, start: number, end: number): Promise<void> {
    const context = { actorId: 0, nowMs: this.#nowMs };
    const sent = [];
    for (let i = start; i < end; i++) sent.push({ order: this.#makeUp(i), context });
    await ingestOrders(tx, this.#site, sent);
  }

  #makeUp(index: number): PreparedOrder {
    const code = this.#pickCode();
    // Orders have whole seconds.
    const placedAtMs = Math.floor(this.#instant(index) / 1000) * 1000;
    const ageDays = (this.#nowMs - placedAtMs) / DAY_MS;
    const template = this.#templates.pick(ageDays, code !== undefined);
    const own = {
      placedAtMs,
      nowMs: this.#nowMs,
      code,
      customerHash: this.#customerHash(this.#random.between(1, CUSTOMERS)),
    };
    return {
      ...template.prepared,
      orderId: this.#plan.firstId + index,
      placedAtMs,
      placedUntilMs: placedAtMs + 999,
      day: this.#site.calendar.dayOf(placedAtMs),
      codes: code === undefined ? [] : [code.toLowerCase()],
      customerHash: own.customerHash,
      mailboxHash: own.customerHash,
      content: template.contentOf(own),
    };
  }

  #pickCode(): string | undefined {
    const { codes } = this.#plan;
    const used = codes.length > 0 && this.#random.happens(SHARE_WITH_COUPON);
    return used ? this.#random.pickPopular(codes) : undefined;
  }

  #customerHash(number: number): string {
    let hash = this.#customers.get(number);
    if (hash === undefined) {
      hash = hashCustomer(this.#site, sampleCustomer(number))!;
      this.#customers.set(number, hash);
    }
    return hash;
  }
}
