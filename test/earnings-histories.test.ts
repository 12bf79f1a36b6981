import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseHeld } from '../src/modules/orders/resettle/release-held.ts';
import { openTestApp } from './support/harness.ts';
import { fc } from './support/seeded-random.ts';

/**
 * Random histories of orders, refunds, adjustments, payouts and passing days. After each one the balance must add up to
 * the pools of the ledger, and statements of adjacent periods must lead from nothing to what is owed now.
 */
const app = await openTestApp({
  config: { timezone: 'Europe/Berlin' },
  settings: { 'payouts.details_required': false },
});
const key = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const DAY_MS = 24 * 60 * 60_000;
const RUNS = 25;
let runs = 0;

const orderStep = fc.record({
  do: fc.constant('order' as const),
  order: fc.nat(5),
  coupon: fc.nat(1),
  goods: fc.integer({ min: 0, max: 30_000 }),
  refund: fc.oneof(fc.constant(0), fc.nat(20_000)),
  status: fc.constantFrom(
    'processing',
    'completed',
    'completed',
    'cancelled',
    'refunded',
    'pending',
  ),
});
const step = fc.oneof(
  { weight: 6, arbitrary: orderStep },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      coupon: fc.nat(1),
      cents: fc.integer({ min: -5_000, max: 5_000 }).filter((cents) => cents !== 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('request' as const), coupon: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      payout: fc.nat(3),
      status: fc.constantFrom('paid', 'paid', 'created', 'cancel', 'pending'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delay' as const), days: fc.nat(7) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const post = (path: string, json: object, method = 'POST') => app.call(path, { method, key, json });
const get = async (path: string) => {
  const reply = await app.call(path, { key });
  assert.equal(reply.status, 200, reply.text);
  return reply;
};
const cents = (amount: number) => Math.round(amount * 100);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** An affiliate with two coupons below a parent with one, and what has happened to them. */
class History {
  readonly #run = ++runs;
  readonly firstDay = app.site.calendar.dayOf(app.site.clock());
  readonly coupons: { id: number; code: string }[] = [];
  readonly #payouts: number[] = [];
  parent = 0;
  affiliate = 0;

  async begin(): Promise<void> {
    this.parent = await this.#affiliate('parent', []);
    this.affiliate = await this.#affiliate('child', [{ parent_id: this.parent }]);
    await this.#coupon(`P${this.#run}`, this.parent);
    this.coupons.push(await this.#coupon(`A${this.#run}`, this.affiliate));
    this.coupons.push(await this.#coupon(`B${this.#run}`, this.affiliate));
  }

  async #affiliate(name: string, more: object[]): Promise<number> {
    const login = `${name}${this.#run}`;
    const json = Object.assign(
      { login, email: `${login}@test.example`, display_name: login },
      ...more,
    );
    const reply = await post(`${STORE}/affiliates`, json);
    assert.equal(reply.status, 201, reply.text);
    return reply.body.id;
  }

  async #coupon(code: string, user_id: number) {
    const { body } = await post(`${STORE}/coupons`, { code, user_id });
    return { id: body.id as number, code };
  }

  async play(one: Step): Promise<void> {
    if (one.do === 'order') await this.#order(one);
    if (one.do === 'adjust') {
      const path = `${STORE}/coupons/${this.coupons[one.coupon]!.id}/adjustments`;
      await post(path, { amount: one.cents / 100, note: '=A reason' });
    }
    if (one.do === 'request') {
      const reply = await post('/payouts', { coupon_id: this.coupons[one.coupon]!.id });
      if (reply.status === 201) this.#payouts.push(reply.body.id);
    }
    if (one.do === 'change' && this.#payouts[one.payout] !== undefined) {
      await post(`/payouts/${this.#payouts[one.payout]}/status`, { status: one.status });
    }
    if (one.do === 'delay') await app.set({ 'commission.delay_days': one.days });
    if (one.do === 'wait') {
      app.advance(one.days * DAY_MS);
      await releaseHeld.run(app.site);
    }
  }

  async #order({ order, coupon, goods, refund, status }: Extract<Step, { do: 'order' }>) {
    const reply = await post(
      `${STORE}/orders/${this.#run * 10 + order + 1}`,
      {
        date: `2026-01-0${order + 1}T10:00:00`,
        status,
        subtotal: goods / 100,
        total: goods / 100,
        coupon_codes: [this.coupons[coupon]!.code],
        refunds: refund === 0 ? [] : [{ id: 1, amount: Math.min(refund, goods) / 100 }],
      },
      'PUT',
    );
    assert.ok(reply.status < 300, reply.text);
  }
}

async function checkBalance(userId: number): Promise<{ on_hold: number; owed: number }> {
  const { body: affiliate } = await get(`/affiliates/${userId}`);
  const { body: balance } = await get(`${STORE}/affiliates/${userId}/balance`);
  for (const one of [balance, ...balance.coupons]) {
    const { earned, on_hold, available, on_its_way, paid, taken_back } = one;
    assert.equal(
      cents(earned),
      cents(on_hold) + cents(available) + cents(on_its_way) + cents(paid) - cents(taken_back),
    );
    for (const amount of [on_hold, available, on_its_way, paid, taken_back, one.awaiting]) {
      assert.ok(amount >= 0, JSON.stringify(one));
    }
  }
  balance.coupons.forEach((one: any, i: number) => {
    const pools = affiliate.coupons[i];
    assert.deepEqual(
      [
        cents(one.available) - cents(one.taken_back),
        one.on_its_way,
        one.paid,
        cents(one.on_hold) + cents(one.awaiting),
      ],
      [
        cents(pools.unpaid_commission),
        pools.pending_payout_commission,
        pools.paid_commission,
        cents(pools.pending_order_commission),
      ],
    );
    assert.ok(one.available === 0 || one.taken_back === 0);
  });
  assert.equal(sum(balance.holds.map((hold: any) => cents(hold.amount))), cents(balance.on_hold));
  const owed = sum(
    affiliate.coupons.map(
      (pools: any) => cents(pools.unpaid_commission) + cents(pools.pending_payout_commission),
    ),
  );
  return { on_hold: cents(balance.on_hold), owed };
}

/** What the ledger lists of the coupons: all changes of what is owed. */
async function ledgerSum(coupons: readonly { id: number }[]): Promise<number> {
  const owedPools = new Set(['unpaid', 'pending_payout']);
  let total = 0;
  for (const { id } of coupons) {
    const { body } = await get(`${STORE}/coupons/${id}/ledger?per_page=100`);
    for (const { from, to, amount } of body) {
      total += cents(amount) * (Number(owedPools.has(to)) - Number(owedPools.has(from)));
    }
  }
  return total;
}

async function checkStatements(history: History, owed: number, split: number): Promise<void> {
  const { calendar } = app.site;
  const path = `${STORE}/affiliates/${history.affiliate}/statement`;
  const today = calendar.dayOf(app.site.clock());
  const dayAfter = (day: string, days: number) =>
    new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
  const middle = [dayAfter(history.firstDay, split), today].sort()[0]!;
  const periods = [
    { from: history.firstDay, to: middle },
    { from: dayAfter(middle, 1), to: dayAfter(today, 1) },
  ];
  let opening = 0;
  const lines: any[] = [];
  for (const { from, to } of periods) {
    const { body } = await get(`${path}?from=${from}&to=${to}`);
    assert.equal(cents(body.opening), opening);
    let balance = opening;
    for (const line of body.lines) {
      balance += cents(line.amount);
      assert.equal(cents(line.balance), balance);
      assert.ok(line.date.slice(0, 10) >= from && line.date.slice(0, 10) <= to);
      assert.equal(line.kind.startsWith('payout'), line.payout_id !== null);
      assert.equal(line.kind.startsWith('commission'), line.order_id !== null);
    }
    assert.equal(cents(body.closing), balance);
    const totals = Object.values<number>(body.totals);
    assert.equal(opening + sum(totals.map(cents)), balance);
    opening = balance;
    lines.push(...body.lines);
  }
  assert.equal(opening, owed);
  assert.equal(await ledgerSum(history.coupons), owed);
  const { text } = await get(`${path}.csv?from=${history.firstDay}&to=${today}`);
  const records = text.trimEnd().split('\r\n').slice(2);
  assert.equal(records.length, lines.length);
  records.forEach((record, i) => {
    assert.ok(record.endsWith(`,${lines[i].amount},${lines[i].balance},USD`), record);
  });
  assert.ok(!text.includes(',=A reason'), 'a formula');
}

test('balances and statements of random histories add up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }),
      fc.nat(20),
      async (steps, split) => {
        const history = new History();
        await history.begin();
        for (const one of steps) await history.play(one);
        const { on_hold, owed } = await checkBalance(history.affiliate);
        const { body: orders } = await get(
          `${STORE}/affiliates/${history.affiliate}/orders?state=on_hold`,
        );
        assert.equal(on_hold, sum(orders.map((order: any) => cents(order.commission))));
        const shares = orders.map((order: any) => Math.round(cents(order.base) * 0.05));
        const above = await checkBalance(history.parent);
        assert.ok(Math.abs(above.on_hold - sum(shares)) <= orders.length, 'shares on hold');
        await checkStatements(history, owed, split);
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(runs >= RUNS);
});
