import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../test/harness.ts';
import { migrations } from './migrations.ts';

const STORE = '/svc/store/v1';

/** An order with two coupons, of which the first is taken off again. */
async function openStore() {
  const app = await openTestApp();
  const key = await app.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json: object) => {
    const reply = await app.call(STORE + path, { method, key, json });
    assert.ok(reply.status < 300, reply.text);
  };
  for (const code of ['ANN', 'BOB']) {
    await send('POST', '/coupons', { code, user_id: idOf('maya') });
  }
  for (const coupon_codes of [['ANN', 'BOB'], ['BOB']]) {
    const json = { date: '2026-03-29T12:00:00', status: 'completed', total: 95, coupon_codes };
    await send('PUT', '/orders/1', json);
  }
  const totals = async () => {
    const { body } = await app.call('/reports/summary?refresh=true', { key });
    return [body.totals.orders_count, body.totals.total_sales, body.totals.total_commission];
  };
  /** Changes rows to what an earlier version left, then runs a migration on them. */
  const migrateFrom = async (earlier: string[], name: string) => {
    const { fill } = migrations.find((migration) => migration.name === name)!;
    await app.site.database.transaction(async (tx) => {
      for (const statement of earlier) await tx.execute(statement);
      await fill!(tx);
    });
  };
  const stats = async (code: string) => {
    const { body } = await app.call(`/coupons?search=${code}`, { key });
    const range = '?from=2026-03-29&to=2026-03-29';
    const all = await app.call(`/coupons/${body[0].id}/stats`, { key });
    const days = await app.call(`/coupons/${body[0].id}/stats${range}`, { key });
    const listed = await app.call(`/coupons/${body[0].id}/orders`, { key });
    return [
      all.body.status_counts.completed,
      days.body.status_counts.completed,
      listed.body.length,
      listed.body[0]?.exchange_rate,
    ];
  };
  return { app, key, send, totals, stats, migrateFrom };
}

test('0004: orders missing from the report are counted', async () => {
  const { totals, migrateFrom } = await openStore();
  const forgotten = 'update store_days set orders_count = 0, total_sales = 0';
  await migrateFrom([forgotten], '0004-orders-of-several-coupons');
  assert.deepEqual(await totals(), [1, 95, 9.5]);
});

test('0005: orders leave the lists and counts of coupons that were removed from them', async () => {
  const { send, stats, migrateFrom } = await openStore();
  const json = { date: '2026-03-29T12:00:00', status: 'completed', total: 95 };
  await send('PUT', '/orders/2', {
    ...json,
    currency: 'JPY',
    exchange_rate: 0.0067,
    coupon_codes: [' ann'],
  });
  await migrateFrom(
    [
      'update referrals set dropped = 0',
      "update coupons set n_completed = 2 where code_folded = 'ann'",
      'update coupon_days set n_completed = 2 where coupon_id = (select min(id) from coupons)',
      'update orders set exchange_rate = null',
    ],
    '0005-what-an-order-earns-now',
  );
  assert.deepEqual(await stats('ANN'), [1, 1, 1, 0.0067]);
  assert.deepEqual(await stats('BOB'), [1, 1, 1, 1]);
});

test('0005: referrals that earn nothing have no commission', async () => {
  const { app, key, send, migrateFrom } = await openStore();
  const json = { date: '2026-03-29T12:00:00', status: 'cancelled', total: 95 };
  await send('PUT', '/orders/2', { ...json, coupon_codes: ['BOB'] });
  const old = 'update referrals set commission = 950 where order_id = 2';
  await migrateFrom([old], '0005-what-an-order-earns-now');
  const { body } = await app.call(`${STORE}/orders/2`, { key });
  assert.deepEqual([body.referrals[0].commission, body.referrals[0].state], [0, 'void']);
});

test('0008: orders and referrals name the click that led to them', async () => {
  const { app, key, send, migrateFrom } = await openStore();
  const clicks = { code: 'ANN', date: '2026-03-28T12:00:00' };
  const { body } = await app.call(`${STORE}/clicks`, { method: 'POST', key, json: clicks });
  const [click_id] = body.ids;
  const json = { date: '2026-03-29T12:00:00', status: 'completed', total: 95 };
  await send('PUT', '/orders/2', { ...json, click_id });
  const earlier = [
    'update orders set click_id = null',
    "update referrals set credited_by = 'coupon_codes', click_id = null",
  ];
  await migrateFrom(earlier, '0008-attribution-of-links');
  assert.equal((await app.call(`${STORE}/orders/2`, { key })).body.click_id, click_id);
  const creditedBy = async (order: number) => {
    const reply = await app.call(`${STORE}/orders/${order}/commission`, { key });
    return reply.body.referrals.map((row: any) => [row.credited_by, row.click_id]);
  };
  assert.deepEqual(await creditedBy(2), [['click_id', click_id]]);
  assert.deepEqual(await creditedBy(1), [
    ['coupon_codes', null],
    ['coupon_codes', null],
  ]);
});
