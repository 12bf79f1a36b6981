import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { firstOrders } from '../series/order-starts.ts';

test('the first order of an affiliate begins its series of mails, on former coupons too', async () => {
  const app = await openTestApp();
  const { calendar, clock, database } = app.site;
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json: object) => {
    const reply = await app.call(`/svc/store/v1${path}`, { method, key, json });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const [maya, tomas] = [idOf('maya'), idOf('tomas')];
  const { id } = await send('POST', '/coupons', { code: 'SHARED', user_id: maya });
  const before = calendar.toLocal(clock());
  app.advance(60_000);
  await send('PATCH', `/coupons/${id}`, { user_id: tomas, move_balance: false });
  const order = { status: 'completed', total: 100, coupon_codes: ['SHARED'] };
  await send('PUT', '/orders/1', { ...order, date: calendar.toLocal(clock()) });
  await send('PUT', '/orders/900', { ...order, date: before });
  const created = [
    { userId: tomas, orderId: 1, atMs: clock() },
    { userId: maya, orderId: 900, atMs: clock() },
  ];
  const begun = await firstOrders(database.read, created);
  assert.deepEqual(begun.map(({ userId }) => userId).toSorted(), [maya, tomas].toSorted());
});
