import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedHead } from './support/feed-head.ts';
import { refusal } from './support/harness.ts';
import { bankDetails, openPayoutApp, STORE } from './support/payouts.ts';

const payouts = await openPayoutApp({
  settings: {
    'site.currency': 'EUR',
    'payouts.debtor_name': 'Alpine',
    'payouts.debtor_iban': 'NL91ABNA0417164300',
  },
});
const { app, admin } = payouts;
await payouts.setDetails('maya', bankDetails);
const { id } = await payouts.payoutAt('created');
const made = await app.call(`${STORE}/payouts/files`, {
  method: 'POST',
  key: admin,
  json: { format: 'sepa', ids: [id] },
});
assert.equal(made.status, 201, made.text);
const FILE = `${STORE}/payouts/files/${made.body.id}`;

test('a bank file is fetched again and recorded only with the CSRF header', async () => {
  const session = await app.signIn('admin');
  const head = await feedHead(app.site);
  const reply = await app.call(FILE, { session: { ...session, csrf: undefined } });
  assert.equal(refusal(reply), '403 svc_api_csrf_required');
  assert.equal(await feedHead(app.site), head);
  assert.equal((await app.call(FILE, { session })).status, 200);
  assert.equal(await feedHead(app.site), head + 1);
  assert.equal((await app.call(FILE, { key: admin })).status, 200);
});

test('no GET without the CSRF header of its session records anything', async () => {
  const { cookie } = await app.signIn('admin');
  const operations = app.site.registry.allOperations().filter(({ method }) => method === 'GET');
  assert.ok(operations.length > 80);
  const head = await feedHead(app.site);
  for (const { namespace, path, refresh } of operations) {
    if (namespace === 'site') continue;
    const root = namespace === 'store' ? STORE : '/svc/v2';
    const target =
      root + path.replace('/affiliates/{id}', '/affiliates/3').replaceAll(/\{\w+\}/g, '1');
    const query = refresh ? `?${refresh.parameter}=true` : '';
    const headers = { cookie, 'x-forwarded-proto': 'https' };
    const reply = await fetch(app.url + target + query, { headers });
    await reply.text();
    if (refresh) assert.equal(reply.status, 403, target);
    assert.equal(await feedHead(app.site), head, target);
  }
});
