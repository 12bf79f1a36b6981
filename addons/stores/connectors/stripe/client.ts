import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { StoreError, type StoreApi, type StoreRequest, type StoreResponse } from '../connector.ts';

/** The version whose answers the mapping reads, whatever the account's own version is. */
export const STRIPE_VERSION = '2026-10-28.endive';

const PAGE_SIZE_MAX = 100;
/** Lines of one purchase that are read; an order of more counts as a whole. */
const ENTRIES_MAX = 2_000;

/** Calls the API of Stripe, such as `/v1/events`. */
export async function callStripe(store: StoreApi, request: StoreRequest): Promise<StoreResponse> {
  const { secret_key } = store.credentials;
  if (!secret_key) throw new StoreError('credentials', 'Enter the secret key of Stripe.');
  const response = await store.request({
    ...request,
    headers: {
      ...request.headers,
      authorization: `Bearer ${secret_key}`,
      'stripe-version': STRIPE_VERSION,
    },
  });
  // Another request changes the same object at this moment.
  if (response.status === 409) throw new StoreError('busy', 'Stripe asks to wait.');
  return response;
}

/** The object at a path; undefined if Stripe does not have it. */
export async function findStripe(
  store: StoreApi,
  url: string,
  query: Query = {},
): Promise<Json | undefined> {
  const response = await callStripe(store, { url, query });
  return response.status === 404 ? undefined : bodyOf(response);
}

type Query = Readonly<Record<string, string | number | boolean>>;

/** One page of a list. */
export async function listStripe(store: StoreApi, url: string, query: Query) {
  const response = await callStripe(store, { url, query });
  const list = bodyOf(response);
  if (!Array.isArray(list['data'])) {
    throw new StoreError('failed', 'Stripe did not answer with a list.');
  }
  return { data: objectsOf(list['data']), hasMore: list['has_more'] === true };
}

/** All entries of a short list, such as the refunds of a payment. */
export async function listAllStripe(store: StoreApi, url: string, query: Query): Promise<Json[]> {
  const all: Json[] = [];
  for (;;) {
    const last = textOf(all.at(-1)?.['id']);
    const { data, hasMore } = await listStripe(store, url, {
      ...query,
      limit: PAGE_SIZE_MAX,
      ...(last !== undefined && { starting_after: last }),
    });
    all.push(...data);
    if (!hasMore || data.length === 0 || all.length >= ENTRIES_MAX) return all;
  }
}

export async function changeStripe(
  store: StoreApi,
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const response = await callStripe(store, { method: 'POST', url, form, headers });
  return bodyOf(response);
}

/** Text with the status 200 is a failure of something in between, not an empty list. */
function bodyOf(response: StoreResponse): Json {
  if (response.status >= 300) throw refusal(response);
  if (textOf(objectOf(response.json)['object']) === undefined) {
    throw new StoreError('failed', 'Stripe did not answer with an object.');
  }
  return objectOf(response.json);
}

/** Stripe numbers the entries of a list in a query or form: `expand[0]`, `expand[1]`. */
export function numbered(name: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, i) => [`${name}[${i}]`, value]));
}

/** Own text with Stripe's code, because its messages quote keys. */
function refusal({ status, json }: StoreResponse): StoreError {
  const code = textOf(objectOf(objectOf(json)['error'])['code']);
  const shown = code !== undefined && /^[a-z_]{1,60}$/.test(code) ? ` (${code})` : '';
  return new StripeRefusal(`Stripe refused the request with the status ${status}${shown}.`, code);
}

export class StripeRefusal extends StoreError {
  readonly stripeCode: string | undefined;

  constructor(message: string, stripeCode: string | undefined) {
    super('failed', message);
    this.stripeCode = stripeCode;
  }
}
