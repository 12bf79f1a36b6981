import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreApp } from '../test/store-app.ts';

const stores = await StoreApp.open({ settings: { 'site.store_url': 'https://shop.example' } });
await stores.coupon('MAYA10');

/** The campaign parameters of the landing page of a link, as a shopper's browser gets it. */
async function campaignOf(link: string): Promise<Record<string, string>> {
  const { status, headers } = await stores.app.call(`~/r/${link}`, {
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' },
  });
  assert.equal(status, 302);
  const { searchParams } = new URL(headers.get('location')!);
  return Object.fromEntries([...searchParams].filter(([name]) => name.startsWith('utm_')));
}

/** Which stores are connected is cached for a few seconds. */
const pass = () => stores.app.advance(5_000);

test('links get campaign parameters while a store that needs them is connected', async () => {
  assert.deepEqual(await campaignOf('maya10'), {});
  await stores.connect({ kind: 'http' });
  pass();
  assert.deepEqual(await campaignOf('maya10'), {});
  const { id } = await stores.connect({ kind: 'woocommerce', url: 'https://shop.example' });
  pass();
  const ours = { utm_source: 'tributary', utm_medium: 'affiliate', utm_campaign: 'MAYA10' };
  assert.deepEqual(await campaignOf('maya10'), ours);
  // Those of the link, and of the page that it leads to, win.
  assert.deepEqual(await campaignOf('MAYA10?utm_source=ada&utm_term=x'), {
    ...ours,
    utm_source: 'ada',
    utm_term: 'x',
  });
  const page = encodeURIComponent('/mug?utm_medium=social&utm_source=blog');
  assert.deepEqual(await campaignOf(`MAYA10?to=${page}`), {
    ...ours,
    utm_medium: 'social',
    utm_source: 'blog',
  });
  assert.deepEqual(await campaignOf('unknown'), {}, 'no affiliate brought this shopper');
  await stores.send('DELETE', `/connections/${id}`);
  pass();
  assert.deepEqual(await campaignOf('maya10'), {});
});
