import { ShopError, type Shop, type ShopRequest, type ShopResponse } from '../connector.ts';
import { isFields, type Fields } from './payload.ts';

const API = '/wp-json/wc/v3';

/** Calls the REST API. The key is sent as Basic, which WooCommerce accepts over HTTPS only. */
async function call(
  shop: Shop,
  path: string,
  request: Omit<ShopRequest, 'url' | 'headers'> = {},
): Promise<ShopResponse> {
  const { consumer_key: key, consumer_secret: secret } = shop.credentials;
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  return shop.request({
    ...request,
    url: `${shop.url}${API}${path}`,
    headers: { authorization, accept: 'application/json' },
  });
}

/** Reads one object; undefined if the shop does not have it. */
export async function readOne(
  shop: Shop,
  path: string,
  query: NonNullable<ShopRequest['query']> = {},
): Promise<Fields | undefined> {
  const response = await call(shop, path, { query });
  if (response.status === 404 && isKnown404(response)) return undefined;
  return fieldsOf(response);
}

export interface Page {
  readonly items: readonly Fields[];
  readonly total: number | undefined;
  /** By the shop's own count, because a host may allow fewer items in a page. */
  readonly isLast: boolean;
  readonly headers: ShopResponse['headers'];
}

const PER_PAGE = 100;

/** Reads one page of a list, with as many items as WooCommerce allows. */
export async function readPage(
  shop: Shop,
  path: string,
  query: NonNullable<ShopRequest['query']>,
): Promise<Page> {
  const response = await call(shop, path, { query: { per_page: PER_PAGE, ...query } });
  const items = response.json;
  if (response.status !== 200 || !Array.isArray(items) || !items.every(isFields)) {
    throw unexpected(response);
  }
  const total = numberIn(response.headers, 'x-wp-total');
  const pages = numberIn(response.headers, 'x-wp-totalpages');
  const isLast =
    pages === undefined ? items.length < PER_PAGE : pages <= Number(query['page'] ?? 1);
  return {
    items,
    total,
    isLast: isLast || items.length === 0,
    headers: response.headers,
  };
}

function numberIn(headers: ShopResponse['headers'], name: string): number | undefined {
  const value = Number(headers[name] ?? 'none');
  return Number.isSafeInteger(value) ? value : undefined;
}

const PAGES_MAX = 100;

/** Reads all pages of a short list. */
export async function readAll(shop: Shop, path: string): Promise<Fields[]> {
  const all: Fields[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { items, isLast } = await readPage(shop, path, { page });
    all.push(...items);
    if (isLast) break;
  }
  return all;
}

/** Sends a change and returns what the shop made of it. */
export async function change(
  shop: Shop,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  request: Pick<ShopRequest, 'json' | 'query'>,
): Promise<Fields> {
  try {
    return fieldsOf(await call(shop, path, { method, ...request }));
  } catch (error) {
    // Reading worked with the same key, so it is not unknown to the shop.
    if (error instanceof ShopError && error.code === 'credentials') {
      throw new ShopError(
        'credentials',
        'The key may read but not change the shop. Create one with the permission Read/Write.',
      );
    }
    throw error;
  }
}

/** An answer that is no success; `code` is WooCommerce's own. */
export class RefusedByShop extends ShopError {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super('failed', message);
    this.reason = reason;
  }
}

function fieldsOf(response: ShopResponse): Fields {
  if (response.status >= 300 || !isFields(response.json)) throw unexpected(response);
  return response.json;
}

function unexpected({ status, json }: ShopResponse): ShopError {
  const code = isFields(json) && typeof json['code'] === 'string' ? json['code'] : undefined;
  if (code === undefined || code === 'rest_no_route') {
    return new ShopError(
      'failed',
      `The shop does not answer like WooCommerce (status ${status}). Check its address, that WooCommerce is active, ` +
        'and that Settings, Permalinks in WordPress is not "Plain".',
    );
  }
  const message = isFields(json) && typeof json['message'] === 'string' ? json['message'] : code;
  return new RefusedByShop(code, `The shop refused the request: ${message.slice(0, 200)}`);
}

/** WooCommerce's own 404 names an object; any other 404 means that there is no WooCommerce. */
function isKnown404({ json }: ShopResponse): boolean {
  return isFields(json) && typeof json['code'] === 'string' && json['code'].endsWith('_invalid_id');
}
