import { StoreError, type StoreApi } from '../connectors/connector.ts';

/** A connection to a fake store without an installation around it. It fails as `StoreApi.request` declares. */
export function directShop(
  given: Pick<StoreApi, 'url' | 'credentials' | 'nowMs'> & Partial<StoreApi>,
): StoreApi {
  return {
    receiverUrl: 'https://program.example/connect/store/1',
    secret: '',
    async request({ method = 'GET', url, query = {}, headers = {}, json, form }) {
      const target = new URL(url, given.url);
      for (const [name, value] of Object.entries(query))
        target.searchParams.set(name, String(value));
      const body = form
        ? new URLSearchParams(form)
        : json === undefined
          ? null
          : JSON.stringify(json);
      const init: RequestInit = { method, headers: { ...headers }, body };
      const response = await fetch(target, init).catch(() => {
        throw new StoreError('unreachable', 'No answer.');
      });
      const { status } = response;
      const wait = response.headers.get('retry-after');
      if (status === 401 || status === 403) throw new StoreError('credentials', 'Refused.');
      if (status === 429) throw new StoreError('busy', 'Wait.', Number(wait) * 1_000);
      if (status >= 500) throw new StoreError('failed', `Status ${status}.`);
      const text = await response.text();
      return { status, headers: Object.fromEntries(response.headers), text, json: parsed(text) };
    },
    ...given,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
