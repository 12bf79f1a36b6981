import { BoundedMap } from '../../../../shared/bounded-map.ts';
import { StoreError, type StoreApi, type StoreRequest, type StoreResponse } from '../connector.ts';
import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';

/** Shopify supports a version for a year and then answers with the oldest one that it still has. */
const API = '/admin/api/2026-07';

const TOKENS_MAX = 1_000;
/** A token that is about to expire is not used for a request that may take a while. */
const TOKEN_MARGIN_MS = 5 * 60_000;

interface Token {
  readonly text: string;
  readonly untilMs: number;
}

/** Tokens that apps of the Dev Dashboard get for a day, by store and client. */
const tokens = new BoundedMap<string, Token>(TOKENS_MAX);

/** Calls the Admin API, such as `/orders.json`. */
export async function callShopify(
  store: StoreApi,
  { url, ...request }: StoreRequest,
): Promise<StoreResponse> {
  const send = async () =>
    store.request({
      ...request,
      url: url.startsWith('/admin/') ? url : API + url,
      headers: { 'x-shopify-access-token': await tokenOf(store) },
    });
  try {
    return await send();
  } catch (error) {
    // A token that Shopify has withdrawn early is requested once more.
    const isWithdrawn = error instanceof StoreError && error.code === 'credentials';
    if (!isWithdrawn || !tokens.delete(tokenKey(store))) throw error;
    return send();
  }
}

/** Calls the Admin API and returns the object of a successful answer. */
export async function readShopify(store: StoreApi, request: StoreRequest): Promise<Json> {
  return bodyOf(await callShopify(store, request));
}

/** A page of maintenance with the status 200 is a failure, not a store without orders. */
export function bodyOf({ status, json }: StoreResponse): Json {
  if (status >= 300) throw unexpected(status);
  if (typeof json !== 'object' || json === null) {
    throw new StoreError('failed', 'Shopify did not answer with JSON.');
  }
  return objectOf(json);
}

/** Runs a GraphQL query or mutation and returns its data. */
export async function queryShopify(
  store: StoreApi,
  query: string,
  variables: Json,
  refusal = 'The app may not manage discounts: give it the scope "write_discounts" in Shopify.',
): Promise<Json> {
  const answer = await readShopify(store, {
    method: 'POST',
    url: '/graphql.json',
    json: { query, variables },
  });
  const [error] = objectsOf(answer['errors']);
  if (!error) return objectOf(answer['data']);
  switch (objectOf(error['extensions'])['code']) {
    case 'THROTTLED':
      throw new StoreError('busy', 'Shopify asks to wait.');
    case 'ACCESS_DENIED':
      throw new StoreError('credentials', refusal);
    default:
      throw new StoreError('failed', 'Shopify did not understand the request.');
  }
}

export function unexpected(status: number): StoreError {
  return new StoreError('failed', `Shopify answered with the status ${status}.`);
}

function tokenKey({ url, credentials }: StoreApi): string {
  return `${url} ${credentials['client_id']} ${credentials['client_secret']}`;
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
  const known = tokens.get(tokenKey(store));
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
  tokens.set(tokenKey(store), { text, untilMs: store.nowMs + seconds * 1_000 });
  return text;
}
