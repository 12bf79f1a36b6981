import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const STORE = '/svc/store/v1';
const OWN = `${STORE}/account/export`;
const admin = await app.key('admin', 'read,write,manage');
const send = (method: string, path: string, json: object) =>
  app.call(`${STORE}${path}`, { method, key: admin, json });

test('a person gets everything that is stored about it, without secrets; an admin gets the same and remarks', async () => {
  const maya = idOf('maya');
  await send('PATCH', `/affiliates/${maya}`, { profile: { website: 'https://maya.test.example' } });
  const coupon = await send('POST', '/coupons', { code: 'MAYA10', user_id: maya });
  const order = { status: 'completed', date: '2026-03-01', total: 100, coupon_codes: ['MAYA10'] };
  assert.ok((await send('PUT', '/orders/1', order)).status < 300);
  const details = { account_holder: 'Maya O.', iban: 'DE89370400440532013000' };
  const saved = { method_type: 'banktransfer', details };
  assert.equal((await send('PUT', `/affiliates/${maya}/payout-details`, saved)).status, 200);
  const session = await app.signIn('maya');
  const token = await app.key('maya', 'read');

  const { status, body, text } = await app.call(OWN, { session });
  assert.equal(status, 200, text);
  assert.partialDeepStrictEqual(body.data, {
    account: { id: maya, login: 'maya', email: 'maya@test.example', has_password: true },
    affiliate: { profile: { website: 'https://maya.test.example' } },
    coupons: [{ id: coupon.body.id, code: 'MAYA10', clicks: 0 }],
    orders: [{ order_id: 1, coupon_id: coupon.body.id, day: '2026-03-01' }],
    keys: [{ scopes: '["read"]' }],
    payouts: { details: { method_type: 'banktransfer', has_details: true } },
  });
  assert.equal(body.data.sessions.length, 1);
  assert.ok(body.data.mails.length > 0, 'the mail about the payout details');
  for (const secret of [details.iban, token, '$argon2', 'token_hash']) {
    assert.ok(!text.includes(secret), secret);
  }
  const { body: ofAdmin } = await app.call(`${STORE}/affiliates/${maya}/person`, { key: admin });
  assert.deepEqual(ofAdmin, {
    ...body,
    data: { ...body.data, notes: [], application_notes: [] },
    review: [],
  });
});

test('the data of another person is for admins who may edit it, with a recent proof', async () => {
  const path = `${STORE}/affiliates/${idOf('maya')}/person`;
  const tomas = await app.key('tomas', 'read,manage');
  assert.equal(refusal(await app.call(path, { key: tomas })), '403 svc_api_forbidden');
  const session = await app.signIn('tomas');
  app.advance(10 * 60_000);
  assert.equal(refusal(await app.call(OWN, { session })), '403 svc_api_proof_required');
});
