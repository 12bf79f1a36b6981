import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreApp } from '../../../../test/stores/store-app.ts';

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
