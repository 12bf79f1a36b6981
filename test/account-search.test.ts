import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf } from './support/harness.ts';
import { openPayoutApp, STORE } from './support/payouts.ts';

test('a search by login finds the orders of the affiliate, also after the coupon changed hands', async () => {
  const { app, admin } = await openPayoutApp();
  const send = async (method: string, path: string, json?: object) => {
    const reply = await app.call(STORE + path, { method, key: admin, ...(json && { json }) });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const [maya, tomas] = [idOf('maya'), idOf('tomas')];
  const { id } = await send('POST', '/coupons', { code: 'SHARED', user_id: maya });
  const buy = (order: number) =>
    send('PUT', `/orders/${order}`, {
      date: app.site.calendar.toLocal(app.site.clock()),
      status: 'completed',
      total: 100,
      coupon_codes: ['SHARED'],
    });
  const search = async (query: string) =>
    (await send('GET', `/orders?${query}`)).map((one: any) => one.order_id).toSorted();
  await buy(1);
  await buy(2);
  app.advance(60_000);
  await send('PATCH', `/coupons/${id}`, { user_id: tomas, move_balance: false });
  await buy(3);
  for (const sort of ['-date', 'amount', '-commission']) {
    assert.deepEqual(await search(`search=maya&sort=${sort}`), [1, 2], sort);
    assert.deepEqual(await search(`search=tomas&sort=${sort}`), [3], sort);
    assert.deepEqual(await search(`search=shared&sort=${sort}`), [1, 2, 3], sort);
    assert.deepEqual(await search(`search=maya&affiliate=${tomas}&sort=${sort}`), [], sort);
  }
});
