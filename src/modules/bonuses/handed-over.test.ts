import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { checkBonuses } from './check-bonuses.ts';

const STORE = '/svc/store/v1';
const target = { by: 'sales', counts: 'counted', window: { kind: 'month' }, at: 1000 };

/** A store in which Maya has sold for 1,000 on a coupon, and got the bonus for it. */
async function openStore() {
  const app = await openTestApp({
    settings: { 'commission.percent': 10, 'commission.delay_days': 14 },
  });
  const key = await app.key('admin', 'read,write,manage');
  app.setClock(Date.parse('2026-11-10T12:00:00Z') - app.site.clock());
  const send = async (method: string, path: string, json?: object) => {
    const reply = await app.call(STORE + path, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, `${path} ${reply.text}`);
    return reply.body;
  };
  const affiliate = async (login: string): Promise<number> =>
    (await send('POST', '/affiliates', { login, email: `${login}@test.example` })).id;
  const [maya, tomas] = [await affiliate('maya1'), await affiliate('tomas1')];
  const coupon = await send('POST', '/coupons', { code: 'SHARED', user_id: maya });
  let orders = 0;
  const sell = (total: number, code = 'SHARED', order = (orders += 1), status = 'completed') =>
    send('PUT', `/orders/${order}`, {
      date: new Date(app.site.clock()).toISOString(),
      status,
      subtotal: total,
      total,
      coupon_codes: [code],
      customer: { email: `customer${order}@shop.example` },
    });
  /** By affiliate, the bonuses that were reached and not taken back. */
  const paid = async () => {
    await checkBonuses.run(app.site);
    app.advance(61_000);
    await checkBonuses.run(app.site);
    const { body } = await app.call('/events?event=bonus&after=0&per_page=100', { key });
    const sum = (id: number) =>
      body
        .filter(({ data }: any) => data.user_id === id)
        .map(({ event }: any) => (event === 'bonus.reached' ? 1 : -1))
        .reduce((a: number, b: number) => a + b, 0);
    const { ok, differences } = await send('GET', '/ledger/verify');
    assert.ok(ok, JSON.stringify(differences));
    return { maya: sum(maya), tomas: sum(tomas) };
  };
  await send('POST', '/rewards/bonuses', { name: 'Autumn', target, pays: { amount: 500 } });
  await sell(1000);
  assert.deepEqual(await paid(), { maya: 1, tomas: 0 });
  await send('PATCH', `/coupons/${coupon.id}`, { user_id: tomas, move_balance: false });
  app.advance(1_000);
  return { app, send, sell, paid, maya, tomas };
}

test('what an affiliate has sold on a coupon that is now another one’s counts for that affiliate alone', async () => {
  const { send, sell, paid, maya, tomas } = await openStore();
  assert.deepEqual(await paid(), { maya: 1, tomas: 0 });
  const value = async (id: number) =>
    (await send('GET', `/affiliates/${id}/rewards`)).bonuses[0].value;
  assert.deepEqual([await value(maya), await value(tomas)], [1000, 0]);
  await sell(999);
  assert.deepEqual(await paid(), { maya: 1, tomas: 0 });
  await sell(1);
  assert.deepEqual(await paid(), { maya: 1, tomas: 1 });
  assert.deepEqual([await value(maya), await value(tomas)], [1000, 1000]);
  await sell(1000, 'SHARED', 1, 'cancelled');
  assert.deepEqual(await paid(), { maya: 0, tomas: 1 }, 'an order of the time before');
});

test('steps begin with nothing for the next affiliate of a coupon', async () => {
  const { send, sell } = await openStore();
  const steps = [
    { from: 0, percent: 1 },
    { from: 500, percent: 20 },
  ];
  const { by, counts, window } = target;
  await send('POST', '/rewards/rules', { rate: { steps: { by, counts, window, steps } } });
  const commissions = async (total: number) => (await sell(total)).referrals[0].commission;
  assert.equal(await commissions(500), 5);
  assert.equal(await commissions(100), 20);
});

test('a bonus of an affiliate without a coupon is on the account of the last one', async () => {
  const { app, send, paid, maya } = await openStore();
  app.setClock(Date.parse('2026-12-01T12:00:00Z') - app.site.clock());
  assert.deepEqual(await paid(), { maya: 1, tomas: 0 });
  await send('POST', '/rewards/bonuses', {
    name: 'All time',
    target: { ...target, window: { kind: 'always' } },
    pays: { amount: 7 },
  });
  assert.deepEqual(await paid(), { maya: 2, tomas: 0 });
  const { on_hold } = await send('GET', `/affiliates/${maya}/balance`);
  assert.equal(on_hold, 107, 'with the commission of the order');
});
