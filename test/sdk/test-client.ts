import { Tributary, type ClientOptions } from '../../sdk/src/index.ts';
import type { TestApp } from '../support/harness.ts';

/** Sends requests as a proxy that ends HTTPS does: the service takes credentials over HTTPS only. */
export const secureFetch: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('X-Forwarded-Proto', 'https');
  return fetch(url, { ...init, headers });
};

/** A client of a service under test. */
export function clientOf(app: TestApp, options: Partial<ClientOptions> = {}): Tributary {
  return new Tributary({ url: app.url, fetch: secureFetch, ...options });
}

/** A browser's fetch: it keeps the cookies of the service and sends them with every request. */
export function fetchWithCookies(): { fetch: typeof fetch; cookies: Map<string, string> } {
  const cookies = new Map<string, string>();
  const fetchAndKeep: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    if (cookies.size > 0) {
      headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await secureFetch(url, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return response;
  };
  return { fetch: fetchAndKeep, cookies };
}
