import { BoundedMap } from '../../../../src/shared/bounded-map.ts';
import { isObject, type Json } from '../../mapping/payload.ts';
import { StoreError, type StoreApi, type StoreRequest, type StoreResponse } from '../connector.ts';

const API = '/wc/v3';

type Call = Omit<StoreRequest, 'url' | 'headers'>;

/** How a shop can be called. */
interface Way {
  /** With the key in the query, for a host that drops the header `Authorization`. */
  readonly keyInQuery: boolean;
  /** With the path in the query, for "Plain" permalinks. */
  readonly pathInQuery: boolean;
}

const USUAL: Way = { keyInQuery: false, pathInQuery: false };
const STORES_MAX = 1_000;

/** How shops were last called with success. */
const ways = new BoundedMap<string, Way>(STORES_MAX);

/** Calls the REST API, in another way if the shop's host or settings do not allow the usual one. */
async function call(store: StoreApi, path: string, request: Call = {}): Promise<StoreResponse> {
  const known = ways.get(store.url);
  let way = known ?? USUAL;
  for (;;) {
    const answer = await send(store, way, path, request).catch(failureOf);
    const isApi = !(answer instanceof StoreError) && typeof answer.json === 'object';
    if (isApi) ways.set(store.url, way);
    const next = isApi ? undefined : nextWay(store, way, answer, known);
    if (next) {
      way = next;
    } else if (answer instanceof StoreError) {
      throw answer;
    } else {
      return answer;
    }
  }
}

function failureOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  throw error;
}

/** The key is sent as Basic, which WooCommerce accepts over HTTPS only. */
function send(store: StoreApi, way: Way, path: string, request: Call): Promise<StoreResponse> {
  const { consumer_key = '', consumer_secret = '' } = store.credentials;
  const basic = Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64');
  return store.request({
    ...request,
    url: way.pathInQuery ? `${store.url}/` : `${store.url}/wp-json${API}${path}`,
    query: {
      ...(way.pathInQuery && { rest_route: API + path }),
      ...request.query,
      ...(way.keyInQuery && { consumer_key, consumer_secret }),
    },
    headers: {
      ...(!way.keyInQuery && { authorization: `Basic ${basic}` }),
      accept: 'application/json',
    },
  });
}

/** Undefined if there is no other way: the key is wrong, or there is no WooCommerce. */
function nextWay(
  { url }: StoreApi,
  way: Way,
  answer: StoreResponse | StoreError,
  known: Way | undefined,
): Way | undefined {
  const { status } = answer;
  if (answer instanceof StoreError && answer.code === 'credentials') {
    // A key that was accepted in the header before is not written to the logs of the host.
    const isRefused = status === 401 && !way.keyInQuery && known === undefined;
    return isRefused && url.startsWith('https:') ? { ...way, keyInQuery: true } : undefined;
  }
  // A page, or a redirection to one, where the API should be.
  const isPage = status !== undefined && status < 500 && status !== 403;
  return isPage && !way.pathInQuery ? { ...way, pathInQuery: true } : undefined;
}

/** Reads one object; undefined if the store does not have it. */
export async function readOne(
  store: StoreApi,
  path: string,
  query: NonNullable<StoreRequest['query']> = {},
): Promise<Json | undefined> {
  const response = await call(store, path, { query });
  if (response.status === 404 && isKnown404(response)) return undefined;
  return fieldsOf(response);
}

export interface Page {
  readonly items: readonly Json[];
  readonly total: number | undefined;
  /** By the store's own count, because a host may allow fewer items in a page. */
  readonly isLast: boolean;
  readonly headers: StoreResponse['headers'];
}

const PER_PAGE = 100;

/** Reads one page of a list, with as many items as WooCommerce allows. */
export async function readPage(
  store: StoreApi,
  path: string,
  query: NonNullable<StoreRequest['query']>,
): Promise<Page> {
  const response = await call(store, path, { query: { per_page: PER_PAGE, ...query } });
  const items = response.json;
  if (response.status !== 200 || !Array.isArray(items) || !items.every(isObject)) {
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

function numberIn(headers: StoreResponse['headers'], name: string): number | undefined {
  const value = Number(headers[name] ?? 'none');
  return Number.isSafeInteger(value) ? value : undefined;
}

const PAGES_MAX = 100;

/** Reads all pages of a short list. */
export async function readAll(
  store: StoreApi,
  path: string,
  query: NonNullable<StoreRequest['query']> = {},
): Promise<Json[]> {
  const all: Json[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { items, isLast } = await readPage(store, path, { ...query, page });
    all.push(...items);
    if (isLast) break;
  }
  return all;
}

/** Sends a change and returns what the store made of it. */
export async function change(
  store: StoreApi,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  request: Pick<StoreRequest, 'json' | 'query'>,
): Promise<Json> {
  try {
    return fieldsOf(await call(store, path, { method, ...request }));
  } catch (error) {
    // Reading worked with the same key, so it is not unknown to the store.
    if (error instanceof StoreError && error.code === 'credentials') {
      throw new StoreError(
        'credentials',
        'The key may read but not change the shop. Create one with the permission Read/Write.',
      );
    }
    throw error;
  }
}

/** An answer that is no success; `code` is WooCommerce's own. */
export class RefusedByStore extends StoreError {
  readonly reason: string;

  constructor(reason: string, message: string) {
    super('failed', message);
    this.reason = reason;
  }
}

function fieldsOf(response: StoreResponse): Json {
  if (response.status >= 300 || !isObject(response.json)) throw unexpected(response);
  return response.json;
}

function unexpected({ status, json }: StoreResponse): StoreError {
  const code = isObject(json) && typeof json['code'] === 'string' ? json['code'] : undefined;
  if (code === undefined || code === 'rest_no_route') {
    return new StoreError(
      'failed',
      `The shop does not answer like WooCommerce (status ${status}). Check its address and that WooCommerce is active.`,
    );
  }
  const message = isObject(json) && typeof json['message'] === 'string' ? json['message'] : code;
  return new RefusedByStore(code, `The shop refused the request: ${message.slice(0, 200)}`);
}

/** WooCommerce's own 404 names an object; any other 404 means that there is no WooCommerce. */
function isKnown404({ json }: StoreResponse): boolean {
  return isObject(json) && typeof json['code'] === 'string' && json['code'].endsWith('_invalid_id');
}
