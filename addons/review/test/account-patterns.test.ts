import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { watchPatterns } from '../watch-patterns.ts';

/** A coupon changes hands: what the review finds is of the affiliate who earned it. */
const DAY_MS = 86_400_000;
const [maya, tomas] = [idOf('maya'), idOf('tomas')];

async function openStore() {
  const { app, admin } = await openPayoutApp();
  const send = async (method: string, path: string, json?: object) => {
    const reply = await app.call(STORE + path, { method, key: admin, ...(json && { json }) });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const { id } = await send('POST', '/coupons', { code: 'SHARED', user_id: maya });
  let orders = 0;
  const date = () => app.site.calendar.toLocal(app.site.clock());
  const buy = async (count: number, total = 100, code = 'SHARED') => {
    const made = Array.from({ length: count }, () => ({
      order_id: ++orders,
      date: date(),
      status: 'completed',
      total,
      coupon_codes: [code],
    }));
    await send('POST', '/orders/batch', { orders: made });
    return made;
  };
  const click = (count: number, referrer = '') =>
    send('POST', '/clicks', {
      clicks: Array.from({ length: count }, () => ({ coupon_id: id, date: date(), referrer })),
    });
  const give = async (user_id: number) => {
    app.advance(60_000);
    await send('PATCH', `/coupons/${id}`, { user_id, move_balance: false });
  };
  const tried = (rule: string, json: object = {}) =>
    send('POST', `/review/rules/${rule}/try`, { days: 5, ...json });
  /** The rules that have seen something, and whose it is. */
  const watch = async () => {
    await watchPatterns.run(app.site);
    const cases: any[] = await send('GET', '/cases?state=open');
    const seen = cases.flatMap(({ evidence, subject }) =>
      evidence.map(({ rule }: { rule: string }) => `${rule} ${subject.id}`),
    );
    return [...new Set(seen)].toSorted();
  };
  return { app, send, buy, click, give, tried, watch };
}

describe('patterns of a coupon that changed hands', () => {
  test('refunds are those of the affiliate who had it', async () => {
    const store = await openStore();
    const made = await store.buy(20);
    await store.give(tomas);
    const refunds = made.slice(0, 15).map((order) => ({ ...order, status: 'refunded' }));
    await store.send('POST', '/orders/batch', { orders: refunds });
    assert.deepEqual(await store.watch(), [`many_refunds ${maya}`]);
    assert.deepEqual(await store.tried('many_refunds'), { orders: 5, amount: 50, affiliates: 1 });
    await store.buy(1);
    assert.deepEqual(await store.watch(), [`many_refunds ${maya}`]);
    assert.deepEqual(await store.tried('many_refunds'), { orders: 5, amount: 50, affiliates: 1 });
  });

  test('a volume is that of the affiliate who had it, and so is a leak of the code', async () => {
    const store = await openStore();
    for (const login of ['ann', 'bob']) {
      const email = `${login}@post.example`;
      await store.send('POST', '/affiliates', { login, email, coupon: { code: login } });
    }
    const usual = async () => [await store.buy(1, 100, 'ann'), await store.buy(1, 100, 'bob')];
    await usual();
    await store.click(4, 'https://www.retailmenot.com/codes');
    await store.buy(24);
    await store.give(tomas);
    const seen = [`code_leaked ${maya}`, `unusual_volume ${maya}`];
    assert.deepEqual(await store.watch(), seen);
    const all = { orders: 24, amount: 240, affiliates: 1 };
    for (const rule of ['code_leaked', 'unusual_volume']) {
      assert.deepEqual(await store.tried(rule), all, rule);
    }
    // The next one has the same on the day after, and nothing of the day before.
    store.app.advance(DAY_MS);
    await usual();
    await store.buy(24);
    const next = [`code_leaked ${tomas}`, `unusual_volume ${tomas}`];
    assert.deepEqual(await store.watch(), [...seen, ...next].toSorted());
    const both = { orders: 48, amount: 480, affiliates: 2 };
    for (const rule of ['code_leaked', 'unusual_volume']) {
      assert.deepEqual(await store.tried(rule), both, rule);
    }
  });

  test('the first order is that of the affiliate', async () => {
    const store = await openStore();
    await store.send('PATCH', '/review/rules/first_order_above', { action: 'note', amount: 500 });
    await store.buy(1);
    await store.give(tomas);
    await store.buy(1, 900);
    assert.deepEqual(await store.watch(), ['first_order_above 2']);
    const one = { orders: 1, amount: 90, affiliates: 1 };
    assert.deepEqual(await store.tried('first_order_above'), one);
    // The coupon comes back: its first affiliate is known.
    await store.give(maya);
    await store.buy(1, 900);
    assert.deepEqual(await store.watch(), ['first_order_above 2']);
    assert.deepEqual(await store.tried('first_order_above'), one);
  });
});
