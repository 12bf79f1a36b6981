import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBonuses } from '../../src/modules/bonuses/check-bonuses.ts';
import { releaseHeld } from '../../src/modules/orders/resettle/release-held.ts';
import { testServer } from '../postgres/databases.ts';
import { openTestApp } from '../support/harness.ts';
import { fc } from '../support/seeded-random.ts';
import { without } from './without.ts';

/**
 * Money belongs to who earned it. A history in which coupons change hands is played twice: as it is, and with a coupon
 * of its own for each affiliate who had one, which never changes hands. Each affiliate's statement, balance and orders
 * must be the same. `DECIDED_HISTORIES=2000` plays more.
 */
const RUNS = Number(process.env['DECIDED_HISTORIES'] ?? (testServer() === undefined ? 30 : 10));
const STORE = '/svc/store/v1';
const AFFILIATES = 3;
const COUPONS = 2;
const HOUR_MS = 3_600_000;
const ORDERS_MAX = 20;

const app = await openTestApp({
  settings: { 'payouts.auto_accept_max': 1_000_000, 'addons.disabled': ['review'] },
});
const key = await app.key('admin', 'read,write,manage');
let worlds = 0;

const coupon = fc.nat(COUPONS - 1);
const event = fc.record({
  hours: fc.integer({ min: 1, max: 20 }),
  what: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        order: fc.uniqueArray(coupon, { minLength: 1, maxLength: 2 }),
        total: fc.integer({ min: 1_000, max: 20_000 }),
        hoursAgo: fc.oneof(fc.constant(0), fc.nat(60)),
        status: fc.constantFrom('pending', 'processing', 'completed'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        changed: fc.nat(ORDERS_MAX),
        status: fc.constantFrom('processing', 'completed', 'completed', 'cancelled'),
        share: fc.constantFrom(0, 0, 0.3),
      }),
    },
    { weight: 3, arbitrary: fc.record({ given: coupon, to: fc.nat(AFFILIATES - 1) }) },
    { weight: 2, arbitrary: fc.record({ paid: coupon }) },
    {
      weight: 2,
      arbitrary: fc.record({
        payout: fc.nat(5),
        status: fc.constantFrom('created', 'paid', 'pending', 'cancel'),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ release: true }) },
  ),
});
type What = typeof event extends fc.Arbitrary<{ what: infer T }> ? T : never;

const RULES = [
  { rate: { percent: 20 }, limit: { amount: 30, per: 'affiliate', window: { kind: 'month' } } },
  {
    rate: {
      steps: {
        by: 'orders',
        counts: 'counted',
        window: { kind: 'year' },
        steps: [
          { from: 0, percent: 5 },
          { from: 2, percent: 15 },
        ],
      },
    },
  },
];

const BONUS = {
  target: { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 150 },
  pays: { amount: 7 },
};

interface Order {
  readonly codes: readonly string[];
  readonly placedMs: number;
  readonly total: number;
}

class World {
  readonly #name = `h${10_000 + ++worlds}`;
  /** Whether each affiliate who has a coupon has one of its own instead. */
  readonly #isApart: boolean;
  readonly #affiliates: number[] = [];
  /** By code. */
  readonly #coupons = new Map<string, number>();
  readonly #owners: { affiliate: number; sinceMs: number }[][];
  readonly #orders: Order[] = [];
  readonly #payouts: number[] = [];
  #rule: number | undefined;
  #bonus = 0;

  constructor(isApart: boolean) {
    this.#isApart = isApart;
    this.#owners = Array.from({ length: COUPONS }, (_, i) => [{ affiliate: i, sinceMs: 0 }]);
  }

  async prepare(rule: number | null): Promise<void> {
    for (let i = 0; i < AFFILIATES; i++) {
      const email = `${this.#name}a${i}@test.example`;
      const { id } = await this.#do('/affiliates', { login: `${this.#name}a${i}`, email });
      const details = { method_type: 'paypal', details: { email } };
      await this.#do(`/affiliates/${id}/payout-details`, details, 'PUT');
      this.#affiliates.push(id);
    }
    for (let i = 0; i < COUPONS; i++) {
      const owners = this.#isApart ? [...this.#affiliates.keys()] : [i];
      for (const owner of owners) {
        const code = this.#codeOf(i, owner);
        const user_id = this.#affiliates[owner];
        this.#coupons.set(code, (await this.#do('/coupons', { code, user_id })).id);
      }
    }
    const who = { affiliates: this.#affiliates };
    this.#bonus = (await this.#do('/rewards/bonuses', { ...BONUS, name: this.#name, who })).id;
    if (rule === null) return;
    this.#rule = (await this.#do('/rewards/rules', { ...RULES[rule], who })).id;
  }

  async end(): Promise<void> {
    await this.#do(`/rewards/bonuses/${this.#bonus}`, undefined, 'DELETE');
    if (this.#rule !== undefined)
      await this.#do(`/rewards/rules/${this.#rule}`, undefined, 'DELETE');
  }

  /** Resolves to what the caller has to see in either world. */
  async play(what: What): Promise<unknown> {
    if ('order' in what) return this.#order(what);
    if ('changed' in what) {
      const order = this.#orders[what.changed % Math.max(1, this.#orders.length)];
      return order && this.#put(order, what.status, Math.round(order.total * what.share));
    }
    if ('given' in what) return this.#give(what.given, what.to);
    if ('paid' in what) return this.#request(what.paid);
    if ('payout' in what) {
      const id = this.#payouts[what.payout % Math.max(1, this.#payouts.length)];
      if (id === undefined) return undefined;
      const json = { status: what.status };
      return (await app.call(`/payouts/${id}/status`, { method: 'POST', key, json })).status;
    }
    return undefined;
  }

  #order({ order, total, hoursAgo, status }: Extract<What, { order: number[] }>) {
    // Half an hour off everything else: orders have whole seconds, hand-overs have not.
    const agoMs = (hoursAgo + 0.5) * HOUR_MS;
    const placedMs = Math.floor((app.site.clock() - agoMs) / 1000) * 1000;
    const codes = order.map((i) => this.#codeOf(i, this.#ownerAt(i, placedMs)));
    this.#orders.push({ codes, placedMs, total });
    return this.#put(this.#orders.at(-1)!, status, 0);
  }

  async #put({ codes, placedMs, total }: Order, status: string, refunded: number) {
    const at = this.#orders.findIndex(
      (order) => order.placedMs === placedMs && order.codes === codes,
    );
    const id = 1 + at + Number(this.#name.slice(1)) * ORDERS_MAX * 2;
    const { referrals } = await this.#do(
      `/orders/${id}`,
      {
        date: new Date(placedMs).toISOString(),
        status,
        total: total / 100,
        coupon_codes: codes,
        customer: { email: `${this.#name}c@shoppers.example` },
        refunds: refunded === 0 ? [] : [{ id: 1, amount: refunded / 100 }],
      },
      'PUT',
    );
    return referrals.map(({ user_id, commission, state }: any) => ({
      affiliate: this.#affiliates.indexOf(user_id),
      commission,
      state,
    }));
  }

  async #give(i: number, to: number): Promise<void> {
    const current = this.#ownerAt(i, Infinity);
    if (current === to) return;
    this.#owners[i]!.push({ affiliate: to, sinceMs: app.site.clock() });
    if (this.#isApart) return;
    const id = this.#coupons.get(this.#codeOf(i, current));
    const json = { user_id: this.#affiliates[to], move_balance: false };
    await this.#do(`/coupons/${id}`, json, 'PATCH');
  }

  async #request(i: number) {
    const id = this.#coupons.get(this.#codeOf(i, this.#ownerAt(i, Infinity)));
    const reply = await app.call('/payouts', { method: 'POST', key, json: { coupon_id: id } });
    if (reply.status === 201) this.#payouts.push(reply.body.id);
    return [reply.status, reply.body.amount ?? reply.body.code];
  }

  #ownerAt(i: number, ms: number): number {
    const [first] = this.#owners[i]!;
    return (this.#owners[i]!.findLast(({ sinceMs }) => sinceMs <= ms) ?? first)!.affiliate;
  }

  #codeOf = (i: number, owner: number): string =>
    `${this.#name}K${i}${this.#isApart ? `of${owner}` : ''}`;

  async readAll(): Promise<unknown[]> {
    const all = [];
    for (const id of this.#affiliates) all.push(await this.#read(id));
    return JSON.parse(JSON.stringify(all).replaceAll(this.#name, 'h'));
  }

  async #read(id: number) {
    const balance = await this.#do(`/affiliates/${id}/balance`);
    const now = app.site.clock();
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const range = `from=${day(now - 100 * 24 * HOUR_MS)}&to=${day(now)}`;
    const { lines, opening, closing, totals } = await this.#do(
      `/affiliates/${id}/statement?${range}`,
    );
    const figures = (await app.call(`/affiliates/${id}/stats`, { key })).body.totals;
    const inRange = (await app.call(`/affiliates/${id}/stats?${range}`, { key })).body.totals;
    assert.deepEqual(inRange, figures);
    const { points } = await this.#do(`/affiliates/${id}/stats/series?interval=day&${range}`);
    const [listed] = await this.#do(
      `/affiliates?search=${this.#name}a${this.#affiliates.indexOf(id)}`,
    );
    const orders: any[] = await this.#do(`/affiliates/${id}/orders?per_page=100`);
    const first = Number(this.#name.slice(1)) * ORDERS_MAX * 2;
    return {
      balance: without(balance, 'coupons', 'user_id'),
      statement: {
        opening,
        closing,
        totals,
        lines: lines.map(({ order_id, ...line }: any) => ({
          ...without(line, 'payout_id', 'coupon_code'),
          order: order_id === null ? null : order_id - first,
        })),
      },
      figures,
      byDay: points,
      listed: without(listed, 'id', 'user', 'coupons', 'date_registered', 'last_order'),
      orders: orders
        .map(({ order_id, status, sales, commission, state }) => [
          order_id - first,
          status,
          sales,
          commission,
          state,
        ])
        .toSorted(),
    };
  }

  async #do(path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') {
    const reply = await app.call(STORE + path, { method, key, json });
    assert.ok(reply.status < 300, `${method} ${path} ${JSON.stringify(json)}: ${reply.text}`);
    return reply.body;
  }
}

test('each affiliate has what they earned, also of coupons that others have now', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 3, maxLength: ORDERS_MAX }),
      fc.option(fc.nat(RULES.length - 1)),
      fc.constantFrom(0, 1),
      async (events, rule, delayDays) => {
        await app.set({ 'commission.delay_days': delayDays });
        const both = [new World(false), new World(true)] as const;
        try {
          for (const world of both) await world.prepare(rule);
          for (const { hours, what } of events) {
            app.advance(hours * HOUR_MS);
            if ('release' in what) {
              await releaseHeld.run(app.site);
              await checkBonuses.run(app.site);
            }
            const [here, apart] = [await both[0].play(what), await both[1].play(what)];
            assert.deepEqual(here, apart, JSON.stringify(what));
          }
          assert.deepEqual(await both[0].readAll(), await both[1].readAll());
        } finally {
          for (const world of both) await world.end();
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('the books agree', async () => {
  const { body } = await app.call(`${STORE}/ledger/verify`, { key });
  assert.deepEqual(body.differences, []);
});
