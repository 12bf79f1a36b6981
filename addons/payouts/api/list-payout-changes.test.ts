import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/shared/durations.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp();
const { app, maya } = payouts;

const changesOf = (id: number, key = maya) => app.call(`${STORE}/payouts/${id}/changes`, { key });
const localTime = () => app.site.calendar.toLocal(app.site.clock());

describe('GET /payouts/{id}/changes', () => {
  test('lists every status with its time, in order', async () => {
    const { id } = await payouts.payoutAt('pending');
    const expected = [{ status: 'pending', date: localTime() }];
    for (const status of ['created', 'paid', 'created', 'cancel']) {
      app.advance(MINUTE_MS);
      assert.equal((await payouts.change(id, status)).status, 200);
      expected.push({ status, date: localTime() });
    }
    assert.equal((await payouts.change(id, 'cancel')).status, 400);
    const { status, body } = await changesOf(id);
    assert.equal(status, 200);
    assert.deepEqual(body, expected);
  });

  test("another affiliate's payout does not exist", async () => {
    const { id } = await payouts.payoutAt('pending');
    assert.equal((await changesOf(id, await app.key('tomas', 'read'))).status, 404);
    assert.equal((await changesOf(999_999)).status, 404);
  });
});
