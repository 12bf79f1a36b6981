import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBonuses } from '../../src/modules/bonuses/check-bonuses.ts';
import { releaseHeld } from '../../src/modules/orders/resettle/release-held.ts';
import { testServer } from '../postgres/databases.ts';
import { openTestApp } from '../support/harness.ts';
import { holding } from '../support/hold-order.ts';
import { fc } from '../support/seeded-random.ts';
import { without } from './without.ts';

/**
 * Money belongs to who earned it. A history in which coupons change hands is played twice: as it is, and with a coupon
 * of its own for each affiliate who had one, which never changes hands. Each affiliate's statement, balance and orders
 * must be the same. `DECIDED_HISTORIES=2000` plays more.
 */
const RUNS = Number(process.env['DECIDED_HISTORIES'] ?? (testServer() === undefined ? 20 : 7));
const STORE = '/svc/store/v1';
const AFFILIATES = 3;
const COUPONS = 2;
const HOUR_MS = 3_600_000;
const ORDERS_MAX = 20;

const app = await openTestApp({ settings: { 'payouts.auto_accept_max': 1_000_000 } });
const key = await app.key('admin', 'read,write,manage');
const HELD = 'trash.example';
const [verb, place, change] = holding(HELD);
await app.call(STORE + place, { method: verb, key, json: change });
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
        isHeld: fc.constantFrom(false, false, true),
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
    {
      weight: 3,
      arbitrary: fc.record({
        decided: fc.nat(ORDERS_MAX),
        as: fc.constantFrom('clear', 'reject', 'reopen'),
      }),
    },
    // What was sent before is sent again, in one of the worlds only.
    {
      weight: 2,
      arbitrary: fc.record({
        again: fc.nat(ORDERS_MAX),
        how: fc.constantFrom('alone', 'in a batch', 'older'),
      }),
    },
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
  readonly isHeld: boolean;
}

/** What an affiliate has with a coupon that is given to another one. */
type Given = 'apart' | 'stays' | 'moves';

class World {
  readonly #name = `h${10_000 + ++worlds}`;
  /** Apart: each affiliate who has a coupon has one of its own instead. */
  readonly #given: Given;
  /** By order, what was sent last. */
  readonly #sent: Record<string, unknown>[] = [];
  readonly #affiliates: number[] = [];
  /** By code. */
  readonly #coupons = new Map<string, number>();
  readonly #owners: { affiliate: number; sinceMs: number }[][];
  readonly #orders: Order[] = [];
  readonly #payouts: number[] = [];
  #rule: number | undefined;
  #bonus = 0;

  constructor(given: Given) {
    this.#given = given;
    this.#owners = Array.from({ length: COUPONS }, (_, i) => [{ affiliate: i, sinceMs: 0 }]);
  }

  async prepare(rule: number | null, hasBonus = true): Promise<void> {
    for (let i = 0; i < AFFILIATES; i++) {
      const email = `${this.#name}a${i}@test.example`;
      const { id } = await this.#do('/affiliates', { login: `${this.#name}a${i}`, email });
      const details = { method_type: 'paypal', details: { email } };
      await this.#do(`/affiliates/${id}/payout-details`, details, 'PUT');
      this.#affiliates.push(id);
    }
    for (let i = 0; i < COUPONS; i++) {
      const owners = this.#given === 'apart' ? [...this.#affiliates.keys()] : [i];
      for (const owner of owners) {
        const code = this.#codeOf(i, owner);
        const user_id = this.#affiliates[owner];
        this.#coupons.set(code, (await this.#do('/coupons', { code, user_id })).id);
      }
    }
    const who = { affiliates: this.#affiliates };
    if (hasBonus) {
      this.#bonus = (await this.#do('/rewards/bonuses', { ...BONUS, name: this.#name, who })).id;
    }
    if (rule === null) return;
    this.#rule = (await this.#do('/rewards/rules', { ...RULES[rule], who })).id;
  }

  async end(): Promise<void> {
    if (this.#bonus > 0) await this.#do(`/rewards/bonuses/${this.#bonus}`, undefined, 'DELETE');
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
    if ('decided' in what) return this.#decide(what);
    if ('again' in what && this.#given !== 'apart') await this.#repeat(what);
    return undefined;
  }

  /** Of all cases, by order and affiliate, one is decided. */
  async #decide({ decided, as }: Extract<What, { decided: number }>) {
    const cases: { id: number; order: number; affiliate: number }[] = [];
    for (const [affiliate, id] of this.#affiliates.entries()) {
      const found: any[] = await this.#do(`/cases?affiliate_id=${id}&per_page=100`);
      for (const { id: case_id, subject } of found)
        cases.push({ id: case_id, order: subject.id, affiliate });
    }
    cases.sort((a, b) => a.order - b.order || a.affiliate - b.affiliate);
    const one = cases[decided % Math.max(1, cases.length)];
    if (!one) return undefined;
    const json = as === 'reopen' ? {} : { decision: as, note: 'Seen.' };
    const path = `${STORE}/cases/${one.id}/${as === 'reopen' ? as : 'decide'}`;
    return (await app.call(path, { method: 'POST', key, json })).status;
  }

  async #repeat({ again, how }: Extract<What, { again: number }>): Promise<void> {
    const at = again % Math.max(1, this.#sent.length);
    const sent = this.#sent[at];
    if (!sent) return;
    if (how === 'in a batch') {
      await this.#do('/orders/batch', { orders: [{ order_id: this.#idOf(at), ...sent }] });
      return;
    }
    const date_modified = new Date(Date.parse(String(sent['date_modified'])) - 60_000);
    const older = { ...sent, date_modified, status: 'failed', total: 1, coupon_codes: [] };
    await this.#do(`/orders/${this.#idOf(at)}`, how === 'older' ? older : sent, 'PUT');
  }

  #idOf = (at: number): number => 1 + at + Number(this.#name.slice(1)) * ORDERS_MAX * 2;

  #order({ order, total, hoursAgo, status, isHeld }: Extract<What, { order: number[] }>) {
    // Half an hour off everything else: orders have whole seconds, hand-overs have not.
    const agoMs = (hoursAgo + 0.5) * HOUR_MS;
    const placedMs = Math.floor((app.site.clock() - agoMs) / 1000) * 1000;
    const codes = order.map((i) => this.#codeOf(i, this.#ownerAt(i, placedMs)));
    this.#orders.push({ codes, placedMs, total, isHeld });
    return this.#put(this.#orders.at(-1)!, status, 0);
  }

  async #put(order: Order, status: string, refunded: number) {
    const { codes, placedMs, total, isHeld } = order;
    const at = this.#orders.indexOf(order);
    const sent = {
      date: new Date(placedMs).toISOString(),
      date_modified: new Date(app.site.clock()).toISOString(),
      status,
      total: total / 100,
      coupon_codes: codes,
      customer: { email: `${this.#name}c@${isHeld ? HELD : 'shoppers.example'}` },
      refunds: refunded === 0 ? [] : [{ id: 1, amount: refunded / 100 }],
    };
    this.#sent[at] = sent;
    const { referrals } = await this.#do(`/orders/${this.#idOf(at)}`, sent, 'PUT');
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
    if (this.#given === 'apart') return;
    const id = this.#coupons.get(this.#codeOf(i, current));
    const json = { user_id: this.#affiliates[to], move_balance: this.#given === 'moves' };
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
    `${this.#name}K${i}${this.#given === 'apart' ? `of${owner}` : ''}`;

  /** What all affiliates have together, and what each order earns. */
  async readSums(): Promise<unknown> {
    const sums = { money: 0, sales: 0, orders_count: 0 };
    for (const id of this.#affiliates) {
      const { body } = await app.call(`/affiliates/${id}`, { key });
      const pools = ['unpaid', 'pending_order', 'pending_payout', 'paid'];
      for (const pool of pools) sums.money += Math.round(body[`${pool}_commission`] * 100);
      const { totals } = (await app.call(`/affiliates/${id}/stats`, { key })).body;
      sums.sales += Math.round(totals.total_sales * 100);
      sums.orders_count += totals.orders_count;
    }
    const orders = [];
    for (const at of this.#orders.keys()) {
      const { status, referrals } = await this.#do(`/orders/${this.#idOf(at)}`);
      orders.push([status, ...referrals.map(({ commission, state }: any) => [commission, state])]);
    }
    return { sums, orders };
  }

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
    const first = this.#idOf(-1);
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
        const both = [new World('stays'), new World('apart')] as const;
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

test('what moves with a coupon is neither more nor less than what stays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 3, maxLength: ORDERS_MAX }),
      fc.constantFrom(0, 1),
      async (events, delayDays) => {
        await app.set({ 'commission.delay_days': delayDays });
        const both = [new World('stays'), new World('moves')] as const;
        for (const world of both) await world.prepare(null, false);
        for (const { hours, what } of events) {
          app.advance(hours * HOUR_MS);
          if ('release' in what) await releaseHeld.run(app.site);
          for (const world of both) await world.play(what);
        }
        assert.deepEqual(await both[1].readSums(), await both[0].readSums());
        await both[1].readAll();
      },
    ),
    { numRuns: RUNS },
  );
});

test('the books agree', async () => {
  const { body } = await app.call(`${STORE}/ledger/verify`, { key });
  assert.deepEqual(body.differences, []);
});
