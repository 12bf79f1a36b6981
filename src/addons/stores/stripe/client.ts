import { ShopError, type Shop, type ShopRequest, type ShopResponse } from '../connector.ts';
import { objectOf, objectsOf, textOf, type Json } from '../mapping/payload.ts';

/** The version whose answers the mapping reads, whatever the account's own version is. */
export const STRIPE_VERSION = '2026-10-28.endive';

const PAGE_SIZE_MAX = 100;
/** Lines of one purchase that are read; an order of more counts as a whole. */
const ENTRIES_MAX = 2_000;

/** Calls the API of Stripe, such as `/v1/events`. */
export async function callStripe(shop: Shop, request: ShopRequest): Promise<ShopResponse> {
  const { secret_key } = shop.credentials;
  if (!secret_key) throw new ShopError('credentials', 'Enter the secret key of Stripe.');
  const response = await shop.request({
    ...request,
    headers: {
      ...request.headers,
      authorization: `Bearer ${secret_key}`,
      'stripe-version': STRIPE_VERSION,
    },
  });
  // Another request changes the same object at this moment.
  if (response.status === 409) throw new ShopError('busy', 'Stripe asks to wait.');
  return response;
}

/** The object at a path; undefined if Stripe does not have it. */
export async function findStripe(
  shop: Shop,
  url: string,
  query: Query = {},
): Promise<Json | undefined> {
  const response = await callStripe(shop, { url, query });
  return response.status === 404 ? undefined : bodyOf(response);
}

type Query = Readonly<Record<string, string | number | boolean>>;

export interface StripePage {
  readonly data: readonly Json[];
  readonly hasMore: boolean;
}

export async function listStripe(shop: Shop, url: string, query: Query): Promise<StripePage> {
  const response = await callStripe(shop, { url, query });
  const list = bodyOf(response);
  return { data: objectsOf(list['data']), hasMore: list['has_more'] === true };
}

/** All entries of a short list, such as the refunds of a payment. */
export async function listAllStripe(shop: Shop, url: string, query: Query): Promise<Json[]> {
  const all: Json[] = [];
  for (;;) {
    const last = textOf(all.at(-1)?.['id']);
    const { data, hasMore } = await listStripe(shop, url, {
      ...query,
      limit: PAGE_SIZE_MAX,
      ...(last !== undefined && { starting_after: last }),
    });
    all.push(...data);
    if (!hasMore || data.length === 0 || all.length >= ENTRIES_MAX) return all;
  }
}

export async function changeStripe(
  shop: Shop,
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const response = await callStripe(shop, { method: 'POST', url, form, headers });
  return bodyOf(response);
}

/** Text with the status 200 is a failure of something in between, not an empty list. */
function bodyOf(response: ShopResponse): Json {
  if (response.status >= 300) throw refusal(response);
  if (textOf(objectOf(response.json)['object']) === undefined) {
    throw new ShopError('failed', 'Stripe did not answer with an object.');
  }
  return objectOf(response.json);
}

/** Stripe numbers the entries of a list in a query or form: `expand[0]`, `expand[1]`. */
export function numbered(name: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, i) => [`${name}[${i}]`, value]));
}

/** Own text with Stripe's code, because its messages quote keys. */
function refusal({ status, json }: ShopResponse): ShopError {
  const code = textOf(objectOf(objectOf(json)['error'])['code']);
  const shown = code !== undefined && /^[a-z_]{1,60}$/.test(code) ? ` (${code})` : '';
  return new StripeRefusal(`Stripe refused the request with the status ${status}${shown}.`, code);
}

export class StripeRefusal extends ShopError {
  readonly stripeCode: string | undefined;

  constructor(message: string, stripeCode: string | undefined) {
    super('failed', message);
    this.stripeCode = stripeCode;
  }
}
