import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { openFakePayPal } from '../../../test/gateways/fake-paypal.ts';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { whileWrong } from '../../../test/support/wrong-clock.ts';
import { followUp } from '../payment/follow-up.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

for (const [name, jumpMs] of [
  ['an hour ahead and back', HOUR_MS],
  ['an hour back and ahead again', -HOUR_MS],
] as const) {
  describe(`times in the database, when the system clock is set ${name}`, () => stored(jumpMs));
}

function stored(jumpMs: number): void {
  test('a payout is polled when its wait ends, even if a lease is left over', async () => {
    const paypal = await openFakePayPal();
    const payouts = await openPayoutApp({
      config: {
        paypalClientId: paypal.clientId,
        paypalSecret: paypal.secret,
        paypalUrl: paypal.url,
      },
      settings: {
        'payouts.auto_accept': true,
        'payouts.first_by_hand': false,
        'payouts.details_hold_hours': 0,
        'payouts.methods': ['paypal'],
      },
    });
    const { app } = payouts;
    const details = { method_type: 'paypal', details: { email: 'maya@pay.example' } };
    await payouts.setDetails('maya', details);
    const { body } = await whileWrong(app, jumpMs, async () =>
      payouts.request(await payouts.coupon(50)),
    );
    assert.equal(body.status, 'created', JSON.stringify(body));
    const asks = async () => (await app.site.database.read.first(asksOf, { id: body.id }))!.asks;
    app.advance(5 * MINUTE_MS);
    await followUp.run(app.site);
    assert.equal(await asks(), 1);

    await whileWrong(app, jumpMs, () =>
      app.site.database.transaction((tx) =>
        tx.execute(`update payouts set leased_until = ${app.site.clock() + MINUTE_MS}`),
      ),
    );
    app.advance(15 * MINUTE_MS + MINUTE_MS);
    await followUp.run(app.site);
    assert.equal(await asks(), 2);
    await paypal.close();
  });

  test('changed payout details are held for the configured hours, and no longer', async () => {
    const { app, admin } = await openPayoutApp();
    const changedAt = async () => (await app.site.database.read.first(changed, {}))!.updated_at;
    const json = { method_type: 'credit', details: {} };
    const path = `${STORE}/affiliates/${idOf('maya')}/payout-details`;
    await whileWrong(app, jumpMs, () => app.call(path, { method: 'PUT', key: admin, json }));
    assert.ok((await changedAt()) <= app.site.clock());
  });
}

const asksOf = query<{ id: number }, { asks: number }>((db, p) =>
  db.selectFrom('payouts').select('asks').where('id', '=', p.id),
);
const changed = query<object, { updated_at: number }>((db) =>
  db.selectFrom('payout_details').select('updated_at'),
);
