import { StoreError, type StoreApi } from '../../connectors/connector.ts';
import { FAKE_KEYS, type FakeWooCommerce } from './fake-woocommerce.ts';

/** A connection to the fake shop without an installation around it. */
export function directShop(fake: FakeWooCommerce, more: Partial<StoreApi> = {}): StoreApi {
  return {
    url: fake.url,
    credentials: FAKE_KEYS,
    receiverUrl: 'http://127.0.0.1:8080/connect/woocommerce/1',
    secret: 'tribTestSecret123',
    nowMs: fake.shop.nowMs,
    async request({ method = 'GET', url, query = {}, headers = {}, json }) {
      const target = new URL(url);
      for (const [name, value] of Object.entries(query)) {
        target.searchParams.set(name, String(value));
      }
      const response = await fetch(target, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      const { status } = response;
      if (status === 401)
        throw new StoreError('credentials', 'The store refused the credentials.', undefined, 401);
      if (status === 429) {
        const seconds = Number(response.headers.get('retry-after'));
        throw new StoreError('busy', 'The store asks to wait.', seconds * 1000);
      }
      if (status >= 500) throw new StoreError('failed', `The store answered ${status}.`);
      return {
        status,
        headers: Object.fromEntries(response.headers),
        json: JSON.parse(text) as unknown,
        text,
      };
    },
    ...more,
  };
}
