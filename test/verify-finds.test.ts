import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf } from './support/harness.ts';
import { openPayoutApp, STORE } from './support/payouts.ts';

const [maya, tomas] = [idOf('maya'), idOf('tomas')];
const payouts = await openPayoutApp({
  settings: { 'multilevel.percents': [5], 'payouts.details_required': false },
});
const { app, admin } = payouts;

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(path, { method, key: admin, json });
  assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  return reply.body;
}

const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));

/** Each from its source, with the affiliate whose account it is. */
async function differences(): Promise<string[]> {
  const { body } = await app.call(`${STORE}/ledger/verify`, { key: admin });
  return body.differences.map((one: any) => `${one.from} ${one.affiliate_id}`);
}

test('verify names each row that does not fit', async () => {
  await send('POST', `${STORE}/rewards/rules`, {
    rate: { percent: 10 },
    limit: { amount: 500, per: 'affiliate', window: { kind: 'month' } },
  });
  const above = { login: 'olive', email: 'olive@test.example', coupon: { code: 'OLIVE10' } };
  const { id: olive } = await send('POST', `${STORE}/affiliates`, above);
  await send('PUT', `${STORE}/affiliates/${maya}/parent`, { parent_id: olive });
  const { id: coupon } = await send('POST', `${STORE}/coupons`, { code: 'MAYA10', user_id: maya });
  const order = (id: number, total: number) =>
    send('PUT', `${STORE}/orders/${id}`, {
      date: app.site.calendar.toLocal(app.site.clock()),
      status: 'completed',
      total,
      coupon_codes: ['MAYA10'],
    });
  await order(1, 1000);
  const { body: payout } = await payouts.request(coupon);
  await order(2, 500);
  await send('PATCH', `${STORE}/coupons/${coupon}`, { user_id: tomas, move_balance: false });
  await order(3, 200);
  assert.deepEqual(await differences(), []);

  const ofMaya = `coupon_id = ${coupon} and user_id = ${maya}`;
  const corruptions: [table: string, set: string, undo: string, where: string, found: string][] = [
    ['former_accounts', 'unpaid = unpaid + 1', 'unpaid = unpaid - 1', ofMaya, `ledger ${maya}`],
    ['coupons', 'unpaid = unpaid + 1', 'unpaid = unpaid - 1', `id = ${coupon}`, `ledger ${tomas}`],
    ['payouts', `user_id = ${tomas}`, `user_id = ${maya}`, `id = ${payout.id}`, `payouts ${tomas}`],
    ['payouts', 'amount = 1', 'amount = 10000', `id = ${payout.id}`, `payouts ${maya}`],
    ['mla_shares', 'granted = 1', 'granted = amount', 'order_id = 1', `shares ${olive}`],
    ['referrals', 'user_id = 1', `user_id = ${maya}`, 'order_id = 1', 'owners 1'],
    [
      'limited_rewards',
      `subject = 'user ${tomas}'`,
      `subject = 'user ${maya}'`,
      'order_id = 1',
      `limits ${maya}`,
    ],
    [
      'limited_rewards',
      'amount = amount + 1',
      'amount = amount - 1',
      'order_id = 3',
      `limits ${tomas}`,
    ],
  ];
  for (const [table, set, undo, where, found] of corruptions) {
    await execute(`update ${table} set ${set} where ${where}`);
    const named = await differences();
    assert.ok(named.includes(found), `${table}, ${set}: ${JSON.stringify(named)}`);
    await execute(`update ${table} set ${undo} where ${where}`);
  }
  assert.deepEqual(await differences(), []);
});
