import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp();
const { app, admin } = payouts;

const verify = async () => (await app.call(`${STORE}/ledger/verify`, { key: admin })).body;

test('GET /ledger/verify checks each payout against its ledger entries', async () => {
  const coupon = await payouts.coupon(50);
  const paid = (await payouts.request(coupon)).body;
  await payouts.change(paid.id, 'paid');
  await payouts.earn(coupon, 50);
  const open = (await payouts.request(coupon)).body;
  await payouts.payoutAt('cancel');
  assert.deepEqual((await verify()).differences, []);

  // The two forged entries cancel each other out in the balances of the coupon.
  const forge = (payoutId: number, from: string, to: string) =>
    app.site.database.transaction((tx) =>
      tx.execute(
        `insert into ledger (coupon_id, owner_id, from_pool, to_pool, amount, kind, user_id, note, created_at,
           unpaid_after, awaiting_after, pending_payout_after, paid_after, payout_id)
         values (${coupon}, ${idOf('maya')}, '${from}', '${to}', 5000, 'payout', 0, '', 0, 0, 0, 5000, 5000, ${payoutId})`,
      ),
    );
  await forge(open.id, 'pending_payout', 'paid');
  await forge(paid.id, 'paid', 'pending_payout');
  const found = (await verify()).differences;
  const difference = { coupon_id: coupon, affiliate_id: idOf('maya'), from: 'payouts' };
  assert.deepEqual(found, [
    { ...difference, payout_id: paid.id, pool: 'pending_payout', stored: 50, recomputed: 0 },
    { ...difference, payout_id: paid.id, pool: 'paid', stored: 0, recomputed: 50 },
    { ...difference, payout_id: open.id, pool: 'pending_payout', stored: 0, recomputed: 50 },
    { ...difference, payout_id: open.id, pool: 'paid', stored: 50, recomputed: 0 },
  ]);
});
