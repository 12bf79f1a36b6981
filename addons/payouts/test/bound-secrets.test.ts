import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { bankDetails, openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { openSecondProcess } from '../../../test/support/second-process.ts';
import { readPayoutDetails } from '../details/details-rows.ts';
import { stripeKey } from '../gateways/gateway-settings.ts';

const payouts = await openPayoutApp();
const { app, admin } = payouts;
const { site } = app;
await payouts.setDetails('tomas', {
  method_type: 'banktransfer',
  details: { account_holder: 'Tomas', iban: 'GB33BUKB20201555555555' },
});

const execute = (sql: string) => site.database.transaction((tx) => tx.execute(sql));
const savedRow = query<{ id: number }, { details: string }>((db, p) =>
  db.selectFrom('payout_details').select('details').where('user_id', '=', p.id),
);
const payoutRow = query<{ id: number }, { id: number; details: string | null }>((db, p) =>
  db.selectFrom('payouts').select(['id', 'details']).where('id', '=', p.id),
);
const settingRow = query<{ key: string }, { value: string }>((db, p) =>
  db.selectFrom('settings').select('value').where('key', '=', p.key),
);
describe('an encrypted value that was copied', () => {
  test('to another affiliate receives no payout', async () => {
    const couponId = await payouts.coupon(50);
    const [maya, tomas] = await Promise.all(
      ['maya', 'tomas'].map((login) => site.database.read.first(savedRow, { id: idOf(login) })),
    );
    const put = (details: string) =>
      execute(`update payout_details set details = '${details}' where user_id = ${idOf('maya')}`);
    await put(tomas!.details);
    const read = await app.call(`${STORE}/affiliates/${idOf('maya')}/payout-details`, {
      key: admin,
    });
    assert.equal(refusal(read), '500 svc_api_server_error');
    assert.equal(refusal(await payouts.request(couponId)), '500 svc_api_server_error');
    assert.deepEqual(await payouts.pools(couponId), [50, 0, 0]);
    await put(maya!.details);
    assert.equal((await payouts.request(couponId)).status, 201);
  });

  test('to another payout, or from the affiliate to a payout, receives no payout', async () => {
    const [one, two] = [await payouts.payoutAt('pending'), await payouts.payoutAt('pending')];
    const row = (await site.database.read.first(payoutRow, { id: one.id }))!;
    assert.deepEqual(readPayoutDetails(site, row), bankDetails.details);
    assert.throws(() => readPayoutDetails(site, { ...row, id: two.id }));
    const saved = (await site.database.read.first(savedRow, { id: idOf('maya') }))!;
    assert.throws(() => readPayoutDetails(site, { id: one.id, details: saved.details }));
  });

  test('to another setting is not used as a credential', async () => {
    await app.set({ 'payouts.stripe_key': 'sk_test_1', 'payouts.wise_token': 'wise-1' });
    const { value } = (await site.database.read.first(settingRow, { key: 'payouts.wise_token' }))!;
    await execute(`update settings set value = '${value}' where key = 'payouts.stripe_key'`);
    const secondProcess = await openSecondProcess(app);
    assert.equal(secondProcess.settings.get(stripeKey), '');
    await app.set({ 'payouts.stripe_key': '' });
  });
});
