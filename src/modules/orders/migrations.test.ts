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
  return { totals, migrateFrom };
}

test('0004: orders that the report had forgotten are counted', async () => {
  const { totals, migrateFrom } = await openStore();
  const forgotten = 'update store_days set orders_count = 0, total_sales = 0';
  await migrateFrom([forgotten], '0004-orders-of-several-coupons');
  assert.deepEqual(await totals(), [1, 95, 9.5]);
});
