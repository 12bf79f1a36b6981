import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreApp } from '../test/store-app.ts';

test('the kinds of stores, with what each asks for', async () => {
  const stores = await StoreApp.open({ config: { publicUrl: 'https://partners.example' } });
  const { kinds } = (await stores.get('/connection-kinds')).body;
  const about = kinds.map((kind: any) => [
    kind.kind,
    kind.needs_url,
    kind.credentials.map(({ name }: { name: string }) => name).join(' '),
    kind.can_approve,
    kind.store_makes_secret,
  ]);
  assert.deepEqual(about, [
    ['woocommerce', true, 'consumer_key consumer_secret', true, false],
    ['shopify', true, 'client_id client_secret access_token', false, true],
    // Stripe has the same address for all.
    ['stripe', false, 'secret_key', false, true],
    ['http', false, '', false, false],
  ]);
});

test('values that give access together: what the nearest set lacks is named', async () => {
  const stores = await StoreApp.open({ settings: { 'site.store_url': 'https://willow.example' } });
  const { kinds } = (await stores.get('/connection-kinds')).body;
  assert.deepEqual(
    kinds.map(({ credential_sets: sets, suggested_url: url }: any) => [sets, url]),
    [
      [[['consumer_key', 'consumer_secret']], 'https://willow.example'],
      [
        [
          ['client_id', 'client_secret'],
          ['access_token', 'client_secret'],
        ],
        null,
      ],
      [[['secret_key']], null],
      [[], null],
    ],
  );
  const shop = { kind: 'shopify', url: 'willow.myshopify.com' };
  const lacking = async (credentials: object) =>
    (await stores.post('/connections', { ...shop, credentials })).body.data.params;
  assert.deepEqual(await lacking({ client_id: 'a'.repeat(32) }), {
    'credentials.client_secret': 'is missing',
  });
  assert.deepEqual(await lacking({ access_token: 'shpat_0123456789' }), {
    'credentials.client_secret': 'is missing',
  });
  assert.deepEqual(
    await lacking({ client_id: 'shpat_0123456789', client_secret: 'b'.repeat(32) }),
    {
      'credentials.client_id': 'does not look like this value',
    },
  );
});
