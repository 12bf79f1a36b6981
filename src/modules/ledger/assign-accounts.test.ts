import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { fillFormerDays } from '../orders/migrations.ts';
import { assignAccounts } from './assign-accounts.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;
const [maya, tomas] = [idOf('maya'), idOf('tomas')];
const { dialect } = app.site.database;

const send = async (method: string, path: string, json?: object) => {
  const reply = await app.call(path, { method, key: admin, ...(json && { json }) });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
};
const order = (id: number, code: string, total: number, status = 'completed') =>
  send('PUT', `${STORE}/orders/${id}`, {
    date: '2026-03-01T10:00:00',
    total,
    status,
    coupon_codes: [code],
  });
const balance = async (user: number) => {
  const { available, awaiting, paid } = await send('GET', `${STORE}/affiliates/${user}/balance`);
  return [available, awaiting, paid];
};

/** As 0.7.0 left it: entries without accounts, and everything on a coupon is its affiliate's. */
async function asBefore(owners: ReadonlyMap<number, number>): Promise<void> {
  await app.site.database.transaction(async (tx) => {
    for (const step of dialect.makeChangeable('ledger')) await tx.execute(step.compile().sql);
    await tx.execute('update ledger set owner_id = 0');
    for (const [coupon, owner] of owners) {
      await tx.execute(`update coupons set user_id = ${owner} where id = ${coupon}`);
      await tx.execute(`update coupon_owners set user_id = ${owner} where coupon_id = ${coupon}`);
    }
    await tx.execute('update coupons set owned_since = null');
    await tx.execute('delete from former_days');
    await assignAccounts(tx);
    await fillFormerDays(tx);
    for (const step of dialect.makeAppendOnly('ledger')) await tx.execute(step.compile().sql);
  });
}

test('an upgrade gives each affiliate its orders and payouts, and leaves unpaid balances as they were', async () => {
  const { id } = await send('POST', `${STORE}/coupons`, { code: 'HAD', user_id: maya });
  await send('POST', `${STORE}/coupons`, { code: 'OWN', user_id: maya });
  await order(1, 'HAD', 1000);
  const { body: paid } = await payouts.request(id);
  await payouts.change(paid.id, 'paid');
  await order(2, 'HAD', 300);
  await order(3, 'HAD', 200, 'processing');
  await order(4, 'OWN', 50);
  // Shares of orders of an affiliate below.
  const join = (login: string, more: object = {}) =>
    send('POST', `${STORE}/affiliates`, { login, email: `${login}@line.example`, ...more });
  const upline = await join('upline', { coupon: { code: 'UP' } });
  await join('below', { parent_id: upline.id, coupon: { code: 'DOWN' } });
  const next = await join('next');
  const shares = async (user: number) => {
    const range = 'from=2026-02-01&to=2026-04-01';
    const { points } = await send('GET', `${STORE}/affiliates/${user}/stats/series?${range}`);
    return points.reduce((sum: number, point: any) => sum + point.upline_commission, 0);
  };
  await order(5, 'DOWN', 1000);
  const share = await shares(upline.id);
  assert.ok(share > 0);
  await asBefore(
    new Map([
      [id, tomas],
      [upline.coupons[0].id, next.id],
    ]),
  );
  assert.deepEqual([await shares(upline.id), await shares(next.id)], [share, 0]);

  assert.deepEqual(await payouts.pools(id), [30, 0, 0]);
  assert.deepEqual(await balance(maya), [5, 20, 100]);
  assert.deepEqual(await balance(tomas), [30, 0, 0]);
  await payouts.assertClean();
  const { lines } = await send('GET', `${STORE}/affiliates/${maya}/statement`);
  assert.deepEqual(
    lines.map(({ kind, amount }: any) => [kind, amount]),
    [
      ['commission', 100],
      ['payout', -100],
      ['commission', 30],
      ['commission', 5],
      ['hand_over', -30],
    ],
  );
  // The figures are of whom the orders name; since when the coupon is the other one's is unknown.
  const figures = async (path: string, key: string) => {
    const { body } = await app.call(path, { key });
    const { orders_count, total_sales } = body.totals ?? body;
    return [orders_count, total_sales];
  };
  const tomasKey = await app.key('tomas', 'read');
  assert.deepEqual(await figures(`/affiliates/${maya}/stats`, payouts.maya), [4, 1550]);
  assert.deepEqual(await figures(`/affiliates/${tomas}/stats`, tomasKey), [0, 0]);
  assert.deepEqual(await figures(`/coupons/${id}/stats`, tomasKey), [0, 0]);
  assert.deepEqual(await figures(`/coupons/${id}/stats`, admin), [3, 1500]);
  // Later changes go to the account of whom they concern.
  await order(3, 'HAD', 200);
  assert.equal((await payouts.change(paid.id, 'cancel')).status, 200);
  assert.deepEqual(await balance(maya), [125, 0, 0]);
  assert.deepEqual(await payouts.pools(id), [30, 0, 0]);
  await payouts.assertClean();
});
