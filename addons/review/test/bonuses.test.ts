import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBonuses } from '../../../src/modules/bonuses/check-bonuses.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import { openTestApp } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const MONTH_MS = 31 * 24 * HOUR_MS;

/** A store that holds orders from gone.example, with an affiliate and a bonus for sales of 1,000 in a month. */
async function openStore(pays: object) {
  const app = await openTestApp({ settings: { 'commission.percent': 10 } });
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json?: object) => {
    const reply = await app.call(STORE + path, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  app.setClock(Date.parse('2026-11-10T12:00:00Z') - app.site.clock());
  await send('PATCH', '/review/rules/throwaway_mail', {
    action: 'hold',
    domains: ['gone.example'],
  });
  const { id } = await send('POST', '/affiliates', { login: 'ann', email: 'ann@test.example' });
  const coupon = await send('POST', '/coupons', { code: 'ANN', user_id: id });
  const target = { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 };
  await send('POST', '/rewards/bonuses', { name: 'Autumn', target, pays });
  const order = (orderId: number, total: number, domain: string) =>
    send('PUT', `/orders/${orderId}`, {
      date: '2026-11-10T10:00:00',
      status: 'completed',
      subtotal: total,
      total,
      coupon_codes: ['ANN'],
      customer: { email: `customer${orderId}@${domain}` },
    });
  return {
    app,
    order,
    async handOver() {
      const { id: user_id } = await send('POST', '/affiliates', {
        login: 'ben',
        email: 'ben@test.example',
      });
      await send('PATCH', `/coupons/${coupon.id}`, { user_id, move_balance: false });
    },
    async decide(decision: string) {
      const [found] = await send('GET', '/cases?state=open');
      await send('POST', `/cases/${found.id}/decide`, { decision });
    },
    /** What the bonus has brought, payable and held, after the job has run an hour later. */
    async bonus() {
      await checkBonuses.run(app.site);
      app.setClock(HOUR_MS);
      await checkBonuses.run(app.site);
      const moved = { earned: 0, awaiting: 0, unpaid: 0 } as Record<string, number>;
      for (const entry of await send('GET', `/coupons/${coupon.id}/ledger?per_page=100`)) {
        if (entry.kind !== 'bonus') continue;
        moved[entry.from]! -= entry.amount;
        moved[entry.to]! += entry.amount;
      }
      const { ok, differences } = await send('GET', '/ledger/verify');
      assert.ok(ok, JSON.stringify(differences));
      return { held: moved['awaiting'], payable: moved['unpaid'] };
    },
  };
}

test('a bonus that is reached only with orders in review is held until they are cleared', async () => {
  const store = await openStore({ amount: 50 });
  await store.order(1, 900, 'test.example');
  await store.order(2, 200, 'gone.example');
  assert.deepEqual(await store.bonus(), { held: 50, payable: 0 });
  assert.deepEqual(await store.bonus(), { held: 50, payable: 0 });
  await store.decide('clear');
  assert.deepEqual(await store.bonus(), { held: 0, payable: 50 });
});

test('it is held although its coupon has another affiliate', async () => {
  const store = await openStore({ amount: 50 });
  await store.order(1, 900, 'test.example');
  await store.order(2, 200, 'gone.example');
  assert.deepEqual(await store.bonus(), { held: 50, payable: 0 });
  await store.handOver();
  assert.deepEqual(await store.bonus(), { held: 50, payable: 0 });
  await store.decide('reject');
  assert.deepEqual(await store.bonus(), { held: 0, payable: 0 });
});

test('it is held while the add-on is off, too', async () => {
  const store = await openStore({ amount: 50 });
  await store.order(1, 900, 'test.example');
  await store.order(2, 200, 'gone.example');
  await store.app.set({ 'addons.disabled': ['review'] });
  assert.deepEqual(await store.bonus(), { held: 50, payable: 0 });
  await store.app.set({ 'addons.disabled': [] });
  await store.decide('reject');
  assert.deepEqual(await store.bonus(), { held: 0, payable: 0 });
});

test('it is taken back once they are rejected', async () => {
  const store = await openStore({ amount: 50 });
  await store.order(1, 900, 'test.example');
  await store.order(2, 200, 'gone.example');
  assert.deepEqual(await store.bonus(), { held: 50, payable: 0 });
  await store.decide('reject');
  assert.deepEqual(await store.bonus(), { held: 0, payable: 0 });
});

test('a bonus that is reached without them is payable at once', async () => {
  const store = await openStore({ amount: 50 });
  await store.order(1, 1000, 'test.example');
  await store.order(2, 200, 'gone.example');
  assert.deepEqual(await store.bonus(), { held: 0, payable: 50 });
});

test('a bonus in percent is paid once orders in review are decided, of what is left', async () => {
  const store = await openStore({ percent: 5, of: 'sales' });
  await store.order(1, 1000, 'test.example');
  await store.order(2, 200, 'gone.example');
  await checkBonuses.run(store.app.site);
  store.app.setClock(MONTH_MS);
  assert.deepEqual(await store.bonus(), { held: 0, payable: 0 });
  await store.decide('reject');
  assert.deepEqual(await store.bonus(), { held: 0, payable: 50 });
});
