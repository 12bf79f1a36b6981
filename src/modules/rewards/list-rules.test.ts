import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

const RULES = '/svc/store/v1/rewards/rules';
const app = await openTestApp({
  settings: {
    'commission.percent': 12.5,
    'commission.fixed_per_order': 2,
  },
});
const admin = await app.key('admin', 'read,write,manage');
await app.call('/svc/store/v1/settings', {
  method: 'PATCH',
  key: admin,
  json: { 'commission.product_percents': { 7: 20, 8: 0 } },
});
const list = (headers = {}) => app.call(RULES, { key: admin, headers });

describe('GET /rewards/rules', () => {
  test('200: without rules, the built-in ones with the figures of the settings', async () => {
    const { status, body } = await list();
    assert.equal(status, 200);
    assert.deepEqual([body.version, body.rules], [0, []]);
    const names = body.built_in.map(({ name }: any) => name);
    assert.deepEqual(names, ['renewals', 'products', 'coupon', 'group', 'store']);
    const [renewals, products, , , store] = body.built_in;
    assert.equal(renewals.sentence, 'Renewals of subscriptions earn nothing.');
    assert.match(products.sentence, /2/);
    assert.equal(store.sentence, 'Everything else earns 12.5% and $2.00 per order.');
  });

  test('the setting for renewals decides what their row says', async () => {
    for (const [value, sentence] of [
      ['always', /like the first payment\.$/],
      ['12', /for 12 months/],
    ] as const) {
      await app.set({ 'commission.renewals': value });
      assert.match((await list()).body.built_in[0].sentence, sentence);
    }
  });

  test('in the language of the reader', async () => {
    const { body } = await list({ 'accept-language': 'de-AT,de;q=0.9' });
    assert.match(body.built_in.at(-1).sentence, /^Alles andere bringt 12,5\s%/);
  });

  test('403: affiliates, and keys without the scope', async () => {
    for (const [login, scopes] of [
      ['maya', 'read,write,manage'],
      ['admin', 'read,write'],
    ] as const) {
      const key = await app.key(login, scopes);
      assert.match(refusal(await app.call(RULES, { key })), /^403 /);
    }
  });
});
