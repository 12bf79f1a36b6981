import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({
  settings: { 'commission.delay_days': 14 },
});
const admin = await app.key('admin', 'read,write,manage');
const tried = (json: object) =>
  app.call(`${STORE}/orders/test`, { method: 'POST', key: admin, json });

await app.call(`${STORE}/coupons`, {
  method: 'POST',
  key: admin,
  json: { code: 'MAYA10', user_id: idOf('maya') },
});

describe('POST /orders/test', () => {
  test('tells whom an order is credited to and what it earns, and leaves nothing behind', async () => {
    const traces = async () => ({
      feed: (await app.call('/events?per_page=1', { key: admin })).headers.get('x-svc-last-event'),
      report: (await app.call('/reports/summary?refresh=1', { key: admin })).body.totals,
      ledger: (await app.call(`${STORE}/ledger/verify`, { key: admin })).body,
      mails: (await outbox(app.site)).length,
    });
    const before = await traces();
    const { status, body } = await tried({ total: 80, coupon_codes: ['maya10'] });
    assert.equal(status, 200);
    const [referral, ...others] = body.referrals;
    assert.equal(others.length, 0);
    assert.equal(referral.affiliate.login, 'maya');
    assert.deepEqual(
      [referral.coupon_code, referral.credited_via, referral.commission, body.total],
      ['MAYA10', 'coupon', 8, 80],
    );
    assert.ok(referral.payable_from > app.site.calendar.toLocal(app.site.clock()));
    assert.ok(referral.steps.some(({ step }: any) => step === 'percent'));
    const byLink = await tried({ total: 50, referral_code: 'MAYA10' });
    assert.equal(byLink.body.referrals[0].credited_by, 'referral_code');
    assert.deepEqual((await tried({ total: 50, coupon_codes: ['NOBODY'] })).body.referrals, []);
    assert.deepEqual(await traces(), before);
    const id = Number.MAX_SAFE_INTEGER;
    assert.equal((await app.call(`${STORE}/orders/${id}`, { key: admin })).status, 404);
  });

  test('tries a list of rules, and says why each of them decides or loses', async () => {
    const rules = [
      { rate: { percent: 50 }, active: false },
      { rate: { percent: 40 }, who: { affiliates: [idOf('tomas')] } },
      { rate: { percent: 25 } },
      { rate: { percent: 30 } },
    ];
    const { status, body, text } = await tried({ total: 80, coupon_codes: ['MAYA10'], rules });
    assert.equal(status, 200, text);
    const [referral] = body.referrals;
    assert.equal(referral.commission, 20);
    assert.deepEqual(referral.rules, [
      { id: null, position: 1, matched: false, because: 'who' },
      { id: null, position: 2, matched: true, because: null },
      { id: null, position: 3, matched: false, because: 'above' },
    ]);
    const saved = await tried({ total: 80, coupon_codes: ['MAYA10'] });
    assert.equal(saved.body.referrals[0].commission, 8);
    const wrong = await tried({ total: 80, rules: [{ rate: {} }] });
    assert.deepEqual([wrong.status, Object.keys(wrong.body.data.params)], [400, ['rules[0].rate']]);
  });

  test('400: an amount that the currency cannot hold', async () => {
    const { status, body } = await tried({ total: 1.234 });
    assert.deepEqual([status, Object.keys(body.data.params)], [400, ['total']]);
  });
});
