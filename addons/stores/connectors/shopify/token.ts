import { BoundedMap } from '../../../../src/shared/bounded-map.ts';
import { objectOf, textOf } from '../../mapping/payload.ts';
import { StoreError, type StoreApi } from '../connector.ts';

const TOKENS_MAX = 1_000;
/** A token that is about to expire is not used for a request that may take a while. */
const TOKEN_MARGIN_MS = 5 * 60_000;

interface Token {
  readonly text: string;
  readonly untilMs: number;
}

/** Tokens that apps of the Dev Dashboard get for a day, by app. */
const tokens = new BoundedMap<string, Token>(TOKENS_MAX);

/** Sends a request with the token of the app. One that Shopify has withdrawn early is requested once more. */
export async function withToken<T>(
  store: StoreApi,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const sendWithToken = async () => send({ 'x-shopify-access-token': await tokenOf(store) });
  try {
    return await sendWithToken();
  } catch (error) {
    const isWithdrawn = error instanceof StoreError && error.code === 'credentials';
    if (!isWithdrawn || !tokens.delete(appOf(store))) throw error;
    return sendWithToken();
  }
}

/** An app in a shop, whose tokens and limits are its own. */
export function appOf({ url, credentials }: StoreApi): string {
  const { access_token, client_id, client_secret } = credentials;
  return JSON.stringify([url, access_token, client_id, client_secret]);
}

/** The Admin API token of an older custom app, or one that the client credentials of a newer app are good for. */
async function tokenOf(store: StoreApi): Promise<string> {
  const { access_token, client_id, client_secret } = store.credentials;
  if (access_token) return access_token;
  if (!client_id || !client_secret) {
    throw new StoreError(
      'credentials',
      'Enter either an Admin API token or the client ID and the client secret of the app.',
    );
  }
  const known = tokens.get(appOf(store));
  if (known && known.untilMs - TOKEN_MARGIN_MS > store.nowMs) return known.text;
  const response = await store.request({
    method: 'POST',
    url: '/admin/oauth/access_token',
    form: { grant_type: 'client_credentials', client_id, client_secret },
  });
  const answer = objectOf(response.json);
  const text = textOf(answer['access_token']);
  if (text === undefined) {
    throw new StoreError(
      'credentials',
      'Shopify gave no token for this client ID and client secret. Is the app installed in the shop?',
    );
  }
  const seconds = Number(answer['expires_in'] ?? 0);
  tokens.set(appOf(store), { text, untilMs: store.nowMs + seconds * 1_000 });
  return text;
}
