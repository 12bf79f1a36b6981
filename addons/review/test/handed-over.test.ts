import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const [maya, tomas] = [idOf('maya'), idOf('tomas')];

async function openStore() {
  const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
  const { app, admin } = payouts;
  const keys = { maya: payouts.maya, tomas: await app.key('tomas', 'read,write') };
  const send = async (method: string, path: string, json?: unknown, key = admin) => {
    const reply = await app.call(STORE + path, { method, key, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  await send('PATCH', '/review/rules/throwaway_mail', {
    action: 'hold',
    domains: ['trash.example'],
  });
  const { id: coupon } = await send('POST', '/coupons', { code: 'MAYA10', user_id: maya });
  const order = (id: number, email = `c${id}@shop.example`) =>
    send('PUT', `/orders/${id}`, {
      date: app.site.calendar.toLocal(app.site.clock()),
      status: 'completed',
      total: 100,
      coupon_codes: ['MAYA10'],
      customer: { email },
    });
  const decide = (id: number, decision: string) =>
    send('POST', `/cases/${id}/decide`, { decision, note: 'Seen.' });
  const unpaid = async (user: number) =>
    (await app.call(`/affiliates/${user}`, { key: admin })).body.unpaid_commission;
  return { payouts, keys, send, coupon, order, decide, unpaid };
}

test('what is in review stays with the affiliate whom the case asks', async () => {
  for (const [decision, left] of [
    ['clear', 10],
    ['reject', 0],
  ] as const) {
    const { payouts, keys, send, coupon, order, decide, unpaid } = await openStore();
    await order(1, 'x@trash.example');
    await order(2);
    await send('PATCH', `/coupons/${coupon}`, { user_id: tomas, move_balance: true });
    const [own] = await send('GET', `/affiliates/${maya}/cases`, undefined, keys.maya);
    assert.equal(own.held, 10);
    assert.deepEqual(await send('GET', `/affiliates/${tomas}/cases`, undefined, keys.tomas), []);
    assert.deepEqual([await unpaid(maya), await unpaid(tomas)], [0, 10]);
    await decide(own.id, decision);
    assert.deepEqual([await unpaid(maya), await unpaid(tomas)], [left, 10]);
    await send('POST', `/cases/${own.id}/reopen`);
    assert.deepEqual([await unpaid(maya), await unpaid(tomas)], [0, 10]);
    await payouts.assertClean();
  }
});

test('a decision reaches limits, and so does a hand-over', async () => {
  const { payouts, send, coupon, order, decide, unpaid } = await openStore();
  const limit = { amount: 15, per: 'affiliate', window: { kind: 'month' } };
  await send('POST', '/rewards/rules', { rate: { percent: 10 }, limit });
  await order(1, 'x@trash.example');
  const [{ id }] = await send('GET', `/cases?affiliate_id=${maya}`);
  await decide(id, 'reject');
  await order(2);
  assert.equal(await unpaid(maya), 10, 'a rejected order leaves its limit to the next one');
  await send('POST', `/cases/${id}/reopen`);
  await decide(id, 'clear');
  assert.equal(await unpaid(maya), 15);
  await order(3);
  assert.equal(await unpaid(maya), 15);
  await payouts.assertClean();
  await send('PATCH', `/coupons/${coupon}`, { user_id: tomas, move_balance: true });
  await order(4);
  assert.equal(await unpaid(tomas), 15, 'what moved is within the limit of the next affiliate');
  await payouts.assertClean();
});
