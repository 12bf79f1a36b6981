import { BoundedMap } from '../../../shared/bounded-map.ts';
import { ShopError, type Shop, type ShopRequest, type ShopResponse } from '../connector.ts';
import { objectOf, objectsOf, textOf, type Json } from '../mapping/payload.ts';

/** Shopify supports a version for a year and then answers with the oldest one that it still has. */
const API = '/admin/api/2026-07';

const TOKENS_MAX = 1_000;
/** A token that is about to expire is not used for a request that may take a while. */
const TOKEN_MARGIN_MS = 5 * 60_000;

interface Token {
  readonly text: string;
  readonly untilMs: number;
}

/** Tokens that apps of the Dev Dashboard get for a day, by shop and client. */
const tokens = new BoundedMap<string, Token>(TOKENS_MAX);

/** Calls the Admin API, such as `/orders.json`. */
export async function callShopify(
  shop: Shop,
  { url, ...request }: ShopRequest,
): Promise<ShopResponse> {
  const send = async () =>
    shop.request({
      ...request,
      url: url.startsWith('/admin/') ? url : API + url,
      headers: { 'x-shopify-access-token': await tokenOf(shop) },
    });
  try {
    return await send();
  } catch (error) {
    // A token that Shopify has withdrawn early is requested once more.
    const isWithdrawn = error instanceof ShopError && error.code === 'credentials';
    if (!isWithdrawn || !tokens.delete(tokenKey(shop))) throw error;
    return send();
  }
}

/** Calls the Admin API and returns the object of a successful answer. */
export async function readShopify(shop: Shop, request: ShopRequest): Promise<Json> {
  return bodyOf(await callShopify(shop, request));
}

/** A page of maintenance with the status 200 is a failure, not a shop without orders. */
export function bodyOf({ status, json }: ShopResponse): Json {
  if (status >= 300) throw unexpected(status);
  if (typeof json !== 'object' || json === null) {
    throw new ShopError('failed', 'Shopify did not answer with JSON.');
  }
  return objectOf(json);
}

/** Runs a GraphQL query or mutation and returns its data. */
export async function queryShopify(shop: Shop, query: string, variables: Json): Promise<Json> {
  const answer = await readShopify(shop, {
    method: 'POST',
    url: '/graphql.json',
    json: { query, variables },
  });
  const [fault] = objectsOf(answer['errors']);
  if (!fault) return objectOf(answer['data']);
  switch (objectOf(fault['extensions'])['code']) {
    case 'THROTTLED':
      throw new ShopError('busy', 'Shopify asks to wait.');
    case 'ACCESS_DENIED':
      throw new ShopError(
        'credentials',
        'The app may not manage discounts: give it the scope "write_discounts" in Shopify.',
      );
    default:
      throw new ShopError('failed', 'Shopify did not understand the request.');
  }
}

export function unexpected(status: number): ShopError {
  return new ShopError('failed', `Shopify answered with the status ${status}.`);
}

function tokenKey({ url, credentials }: Shop): string {
  return `${url} ${credentials['client_id']} ${credentials['client_secret']}`;
}

/** The Admin API token of an older custom app, or one that the client credentials of a newer app are good for. */
async function tokenOf(shop: Shop): Promise<string> {
  const { access_token, client_id, client_secret } = shop.credentials;
  if (access_token) return access_token;
  if (!client_id || !client_secret) {
    throw new ShopError(
      'credentials',
      'Enter either an Admin API token or the client ID and the client secret of the app.',
    );
  }
  const known = tokens.get(tokenKey(shop));
  if (known && known.untilMs - TOKEN_MARGIN_MS > shop.nowMs) return known.text;
  const response = await shop.request({
    method: 'POST',
    url: '/admin/oauth/access_token',
    form: { grant_type: 'client_credentials', client_id, client_secret },
  });
  const answer = objectOf(response.json);
  const text = textOf(answer['access_token']);
  if (text === undefined) {
    throw new ShopError(
      'credentials',
      'Shopify gave no token for this client ID and client secret. Is the app installed in the shop?',
    );
  }
  const seconds = Number(answer['expires_in'] ?? 0);
  tokens.set(tokenKey(shop), { text, untilMs: shop.nowMs + seconds * 1_000 });
  return text;
}
