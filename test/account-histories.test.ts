import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf } from './support/harness.ts';
import { openPayoutApp, STORE } from './support/payouts.ts';
import { fc } from './support/seeded-random.ts';

/**
 * Random histories of one coupon that changes hands among orders, refunds, payouts and their returns. After a history,
 * each statement is what that affiliate has earned, by its orders and by what was moved, and no more.
 */
const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;
const people = ['maya', 'tomas'] as const;
const keys = { maya: payouts.maya, tomas: await app.key('tomas', 'read,write') };
const RUNS = app.databaseUrl === '' ? 20 : 8;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      order: fc.nat(6),
      total: fc.integer({ min: 1, max: 500 }),
      status: fc.constantFrom('completed', 'completed', 'processing', 'refunded', 'cancelled'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('give' as const),
      to: fc.constantFrom(...people),
      moves: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      by: fc.integer({ min: -30, max: 60 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('request' as const), by: fc.constantFrom(...people) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('payout' as const),
      nth: fc.nat(3),
      to: fc.constantFrom('paid', 'cancel', 'pending', 'created'),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const send = async (method: string, path: string, json?: object, key = admin) => {
  const reply = await app.call(path, { method, key, ...(json && { json }) });
  assert.notEqual(reply.status, 500, reply.text);
  return reply;
};
const get = async (path: string, key = admin) => (await send('GET', path, undefined, key)).body;

let histories = 0;

/** A coupon with orders of its own, so that a history does not see the others. */
class History {
  readonly first = ++histories * 100;
  readonly code = `H${this.first}`;
  coupon = 0;

  async run(one: Step): Promise<void> {
    switch (one.do) {
      case 'order': {
        const { total, status } = one;
        const order = { date: '2026-03-01T10:00:00', total, status, coupon_codes: [this.code] };
        await send('PUT', `${STORE}/orders/${this.first + one.order}`, order);
        return;
      }
      case 'give': {
        const change = { user_id: idOf(one.to), move_balance: one.moves };
        const reply = await send('PATCH', `${STORE}/coupons/${this.coupon}`, change);
        assert.equal(reply.status, 200, reply.text);
        return;
      }
      case 'adjust': {
        const adjustment = { amount: one.by, note: 'By hand' };
        await send('POST', `${STORE}/coupons/${this.coupon}/adjustments`, adjustment);
        return;
      }
      case 'request':
        await send('POST', `${STORE}/withdrawals`, {}, keys[one.by]);
        return;
      case 'payout': {
        const open: any[] = await get(`/payouts?coupon_id=${this.coupon}&per_page=100`);
        const chosen = open[one.nth % Math.max(open.length, 1)];
        if (chosen) await send('POST', `/payouts/${chosen.id}/status`, { status: one.to });
        return;
      }
    }
  }

  /** What the affiliate's orders earn now, as the orders themselves say. */
  async earnedBy(userId: number, wanted = 'granted'): Promise<number> {
    let sum = 0;
    for (let id = this.first; id < this.first + 7; id++) {
      const { status, body } = await send('GET', `${STORE}/orders/${id}`);
      if (status === 404) continue;
      for (const { user_id, commission, state } of body.referrals) {
        if (user_id === userId && [state, 'any'].includes(wanted)) sum += commission;
      }
    }
    return sum;
  }
}

const FIGURES = ['orders_count', 'total_sales', 'total_commission'] as const;

/** The figures of each affiliate are those of its orders; together they are the coupon's. */
async function checkFigures(history: History): Promise<void> {
  const path = `/coupons/${history.coupon}/stats`;
  const whole = await get(path);
  const sums = { orders_count: 0, total_sales: 0, total_commission: 0 };
  for (const person of people) {
    const { coupons } = await get(`/affiliates/${idOf(person)}/stats`, keys[person]);
    const own = coupons.find(({ id }: any) => id === history.coupon);
    if (!own) continue;
    for (const name of FIGURES) sums[name] += cents(own[name]);
    assert.equal(cents(own.total_commission), cents(await history.earnedBy(idOf(person), 'any')));
    const seen = await app.call(path, { key: keys[person] });
    if (seen.status === 404) continue;
    for (const name of FIGURES) assert.equal(seen.body[name], own[name], `${person} ${name}`);
  }
  for (const name of FIGURES) assert.equal(sums[name], cents(whole[name]), name);
}

/** In cents: sums of decimal fractions drift. */
const cents = (amount: number) => Math.round(amount * 100);

async function check(history: History, moves: boolean): Promise<void> {
  await payouts.assertClean();
  await checkFigures(history);
  await get(`/coupons/${history.coupon}/stats?refresh=true`);
  await checkFigures(history);
  const all: any[] = await get(`${STORE}/coupons/${history.coupon}/ledger?per_page=100`);
  for (const person of people) {
    const userId = idOf(person);
    const balance = await get(`${STORE}/affiliates/${userId}/balance`, keys[person]);
    const statement = await get(`${STORE}/affiliates/${userId}/statement`, keys[person]);
    const owed = cents(balance.available) - cents(balance.taken_back) + cents(balance.on_its_way);
    assert.equal(cents(statement.closing), owed);

    const own: any[] = await get(
      `${STORE}/coupons/${history.coupon}/ledger?per_page=100`,
      keys[person],
    ).then((rows) => (Array.isArray(rows) ? rows : []));
    assert.deepEqual(
      own.map(({ id }) => id),
      all.filter(({ affiliate_id }) => affiliate_id === userId).map(({ id }) => id),
    );
    const lines: any[] = statement.lines.filter((line: any) => line.coupon_code === history.code);
    const sum = (...kinds: string[]) =>
      lines
        .filter(({ kind }) => kinds.includes(kind))
        .reduce((total, { amount }) => total + cents(amount), 0);
    // Without a move every order is its first affiliate's, whatever happened to the coupon.
    if (!moves) {
      const earned = sum('commission', 'commission_removed');
      assert.equal(earned, cents(await history.earnedBy(userId)), person);
      assert.equal(sum('hand_over'), 0);
    }
    const listed: any[] = await get(
      `${STORE}/affiliates/${userId}/orders?per_page=100`,
      keys[person],
    );
    for (const { order_id, coupon_id } of listed) {
      if (coupon_id !== history.coupon) continue;
      const { referrals } = await get(`${STORE}/orders/${order_id}`);
      assert.ok(referrals.some(({ user_id }: any) => user_id === userId));
    }
  }
}

for (const moves of [false, true]) {
  test(`an affiliate’s statement is what it has earned, ${moves ? 'also where money moves' : 'and no money moves'}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const history = new History();
        const coupon = { code: history.code, user_id: idOf('maya') };
        history.coupon = (await send('POST', `${STORE}/coupons`, coupon)).body.id;
        for (const one of steps) {
          await history.run(one.do === 'give' ? { ...one, moves: moves && one.moves } : one);
        }
        await check(history, moves);
      }),
      { numRuns: RUNS },
    );
  });
}
