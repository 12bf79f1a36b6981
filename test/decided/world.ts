import assert from 'node:assert/strict';
import type { TestApp } from '../support/harness.ts';
import type { Sent } from './disturbances.ts';
import { AFFILIATES, COUPON_OWNERS, type Setup } from './history.ts';
import { without } from './without.ts';

const STORE = '/svc/store/v1';
const FIRST_DAY_MS = Date.UTC(2026, 0, 5);
const MODIFIED_MS = Date.UTC(2026, 4, 1);
const DAY_MS = 86_400_000;
const ORDERS_EACH = 20;
/** All days of a history. */
const RANGE = 'from=2026-01-01&to=2026-04-30';

const LINES_EACH = 3;

let worlds = 0;
let files = 0;

/** Affiliates, coupons and customers of their own, in which one history is played. */
export class World {
  readonly #app: TestApp;
  readonly #key: string;
  readonly #name = `w${10_000 + ++worlds}`;
  readonly #firstOrder = worlds * ORDERS_EACH;
  readonly #affiliates: number[] = [];
  readonly #coupons: number[] = [];
  readonly #rules: number[] = [];

  constructor(app: TestApp, key: string) {
    this.#app = app;
    this.#key = key;
  }

  static async create(app: TestApp, key: string, setup: Setup): Promise<World> {
    const world = new World(app, key);
    await world.#prepare(setup);
    return world;
  }

  async #prepare({ rules }: Setup): Promise<void> {
    for (let i = 0; i < AFFILIATES; i++) {
      const login = `${this.#name}a${i}`;
      const { id } = await this.#send('/affiliates', { login, email: this.#emailOf(i) });
      this.#affiliates.push(id);
    }
    for (const [i, owner] of COUPON_OWNERS.entries()) {
      const code = this.#codeOf(i);
      const user_id = this.#affiliates[owner];
      this.#coupons.push((await this.#send('/coupons', { code, user_id })).id);
      await this.#send('/clicks', {
        code,
        visitor: this.#visitorOf(i),
        date: '2026-01-01T08:00:00',
      });
    }
    for (const { affiliate, json } of rules) {
      const affiliates = affiliate === null ? this.#affiliates : [this.#affiliates[affiliate]];
      const { id } = await this.#send('/rewards/rules', { ...json, who: { affiliates } });
      this.#rules.push(id);
    }
  }

  /** Removes what other worlds would have to read. */
  async end(): Promise<void> {
    for (const id of this.#rules) await this.#send(`/rewards/rules/${id}`, undefined, 'DELETE');
  }

  async put(sent: Sent): Promise<void> {
    const { order_id, ...json } = this.#toOrder(sent);
    await this.#send(`/orders/${order_id}`, json, 'PUT');
  }

  async putTogether(all: readonly Sent[]): Promise<void> {
    const orders = all.map((sent) => this.#toOrder(sent));
    const { results } = await this.#send('/orders/batch', { orders });
    for (const { status } of results) assert.ok(status < 300, JSON.stringify(results));
  }

  /** Files of a few lines. */
  async importFiles(all: readonly Sent[]): Promise<void> {
    const form = new FormData();
    form.append('json', JSON.stringify({ source: 'orders' }));
    for (let i = 0; i < all.length; i += LINES_EACH) {
      const lines = all.slice(i, i + LINES_EACH).map((sent) => toCells(this.#toOrder(sent)));
      const columns = [...new Set(lines.flatMap(Object.keys))];
      const rows = lines.map((cells) => columns.map((name) => quoted(cells[name] ?? '')));
      const text = [columns, ...rows].map((row) => row.join(',')).join('\n');
      form.append('files', new Blob([text]), `orders-${this.#name}-${++files}.csv`);
    }
    const reply = await this.#app.call(`${STORE}/imports`, {
      method: 'POST',
      key: this.#key,
      form,
    });
    assert.deepEqual([reply.status, reply.body.counts?.refused], [200, 0], reply.text);
  }

  #toOrder({ order, content, status, refunded, modified }: Sent) {
    const { day, minute, total, codes, link, customer, subscription } = content;
    const placedMs = FIRST_DAY_MS + day * DAY_MS + minute * 60_000;
    return {
      order_id: this.#firstOrder + order,
      date: new Date(placedMs).toISOString(),
      status,
      total: total / 100,
      coupon_codes: codes.map((i) => this.#codeOf(i)),
      ...(link && {
        [link.by]: link.by === 'visitor' ? this.#visitorOf(link.coupon) : this.#codeOf(link.coupon),
      }),
      ...(customer && { customer: this.#toCustomer(customer) }),
      ...(subscription && {
        subscription: {
          id: `${this.#name}s${subscription.number}`,
          ...(subscription.says === 'renewal' && { renewal: true }),
          ...(typeof subscription.says === 'number' && { payment: subscription.says }),
        },
      }),
      refunds: refunded === 0 ? [] : [{ id: 1, amount: refunded / 100 }],
      ...(modified !== null && {
        date_modified: new Date(MODIFIED_MS + modified * 60_000).toISOString(),
      }),
    };
  }

  #toCustomer(customer: NonNullable<Sent['content']['customer']>) {
    if ('own' in customer) return { email: this.#emailOf(customer.own) };
    const { number, by, hasMoved } = customer;
    const place = hasMoved ? 'moved' : 'shoppers';
    return {
      ...(by !== 'id' && { email: `${this.#name}c${number}@${place}.example` }),
      ...(by !== 'email' && { id: `${this.#name}c${number}` }),
    };
  }

  /** What the orders have led to, without ids: two worlds with the same history show the same. */
  async read(orders: Iterable<number>): Promise<unknown> {
    const coupons = [];
    for (const id of this.#coupons) coupons.push(await this.#readCoupon(id));
    const affiliates = [];
    for (const id of this.#affiliates) affiliates.push(await this.#readAffiliate(id));
    const read = [];
    for (const order of orders) read.push([order, await this.#readOrder(this.#firstOrder + order)]);
    return JSON.parse(
      JSON.stringify({ coupons, affiliates, orders: read }).replaceAll(this.#name, 'w'),
    );
  }

  async #readCoupon(id: number) {
    const { body: stats } = await this.#app.call(`/coupons/${id}/stats`, { key: this.#key });
    const { body: rebuilt } = await this.#app.call(`/coupons/${id}/stats?refresh=true`, {
      key: this.#key,
    });
    const { points } = await this.#get(`/coupons/${id}/stats/series?${RANGE}`);
    const entries: any[] = await this.#get(`/coupons/${id}/ledger?per_page=100`);
    return {
      figures: figuresOf(stats),
      rebuilt: figuresOf(rebuilt),
      days: points
        .filter(({ orders, sales, commission }: any) => orders || sales || commission)
        .map(({ date, orders, sales, commission }: any) => ({ date, orders, sales, commission })),
      ledger: entries
        .map(
          ({ kind, from, to, amount, order_id }) =>
            `${kind} ${from} ${to} ${amount} order ${order_id - this.#firstOrder}`,
        )
        .toSorted(),
    };
  }

  async #readAffiliate(id: number) {
    const balance = await this.#get(`/affiliates/${id}/balance`);
    const { steps } = await this.#get(`/affiliates/${id}/rewards`);
    const { totals } = (
      await this.#app.call(`/affiliates/${id}/stats?${RANGE}`, { key: this.#key })
    ).body;
    return {
      balance: without(balance, 'coupons', 'user_id'),
      figures: figuresOf(totals),
      steps: steps.map(({ rule_id, ...step }: any) => ({ ...step, rule: this.#placeOf(rule_id) })),
    };
  }

  async #readOrder(id: number) {
    const { status, referrals } = await this.#get(`/orders/${id}`);
    const explained = await this.#get(`/orders/${id}/commission`);
    const owner = await this.#get(`/orders/${id}/customer`);
    // A coupon that was taken off stays in the list of the order, and earns nothing.
    const earns = ({ state }: any) => state !== 'void';
    return {
      status,
      referrals: referrals.filter(earns).map(({ coupon_id, user_id, ...referral }: any) => ({
        ...referral,
        coupon: this.#coupons.indexOf(coupon_id),
        affiliate: this.#affiliates.indexOf(user_id),
      })),
      explained: explained.referrals.filter(earns).map(({ rules, click_id, ...rest }: any) => ({
        ...without(rest, 'coupon_id', 'user_id'),
        isFromClick: click_id !== null,
        steps: rest.steps.map(({ step, facts, amount }: any) => ({
          step,
          amount,
          facts: { ...facts, rule_id: this.#placeOf(facts.rule_id) },
        })),
        rules: rules.map(({ id: rule, because }: any) => [this.#placeOf(rule), because]),
        decided_from: {
          ...rest.decided_from,
          counters: rest.decided_from.counters.map(this.#withPlace),
          limits: rest.decided_from.limits.map(this.#withPlace),
        },
      })),
      owner: {
        lifetime: owner.lifetime,
        coupon: this.#coupons.indexOf(owner.coupon_id),
        since: owner.since,
        until: owner.until,
      },
    };
  }

  #withPlace = ({ rule_id, ...rest }: any) => ({ ...rest, rule: this.#placeOf(rule_id) });
  #placeOf = (rule: number | undefined): number => this.#rules.indexOf(rule ?? -1);
  #codeOf = (coupon: number): string => `${this.#name}K${coupon}`;
  #visitorOf = (coupon: number): string => `${this.#name} visitor ${coupon}`;
  #emailOf = (affiliate: number): string => `${this.#name}a${affiliate}@test.example`;

  #get = (path: string): Promise<any> => this.#send(path, undefined, 'GET');

  async #send(path: string, json: unknown, method = 'POST'): Promise<any> {
    const reply = await this.#app.call(STORE + path, { method, key: this.#key, json });
    assert.ok(reply.status < 300, `${method} ${path} ${JSON.stringify(json)}: ${reply.text}`);
    return reply.body;
  }
}

/** The cells of a line, by column. */
function toCells({ coupon_codes, ...order }: Record<string, any>): Record<string, string> {
  const cells = Object.entries(order).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  return { ...Object.fromEntries(cells), coupon_codes: coupon_codes.join('|') };
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** What counts: how many orders there are of each status is not part of it. */
function figuresOf(stats: any) {
  const { orders_count, total_sales, total_commission } = stats;
  const { unpaid_commission, pending_order_commission } = stats;
  return {
    orders_count,
    total_sales,
    total_commission,
    unpaid_commission,
    pending_order_commission,
  };
}
