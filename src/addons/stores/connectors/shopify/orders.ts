import {
  StoreError,
  type ChangedPage,
  type HiddenOrders,
  type Position,
  type StoreApi,
  type StoreResponse,
} from '../connector.ts';
import { objectsOf } from '../../mapping/payload.ts';
import { bodyOf, callShopify, readShopify } from './client.ts';
import { hasScope, readScopes } from './scopes.ts';

const PAGE_SIZE = 250;
const DAY_MS = 24 * 60 * 60_000;

export async function fetchOrder(store: StoreApi, externalId: string): Promise<unknown> {
  const response = await callShopify(store, {
    url: `/orders/${encodeURIComponent(externalId)}.json`,
  });
  if (response.status === 404) return undefined;
  return partOf(response, 'order');
}

/** An answer without it is no answer: it must not be taken for a store that has nothing. */
function partOf(response: StoreResponse, name: 'order' | 'orders'): unknown {
  const part = bodyOf(response)[name];
  if (typeof part === 'object' && part !== null) return part;
  throw new StoreError('failed', 'Shopify did not answer with orders.');
}

/** It shows 60 days, and may count them from another moment than the one at which the order was placed. */
const SURELY_SHOWN_MS = 58 * DAY_MS;

export const hides: HiddenOrders = {
  reason:
    'Without the scope "read_all_orders" Shopify shows no orders that are older than 60 days. What it sends about them ' +
    'still counts.',
  async shows(store, placedAtMs) {
    if (store.nowMs - placedAtMs < SURELY_SHOWN_MS) return true;
    return hasScope(await readScopes(store), 'read_all_orders');
  },
};

/** One page of orders by their last change. Later pages are named by `page_info`, which allows no other filter. */
export async function changedSince(store: StoreApi, position: Position): Promise<ChangedPage> {
  const filter = { updated_at_min: new Date(position.sinceMs).toISOString(), status: 'any' };
  const response = await callShopify(store, {
    url: '/orders.json',
    query:
      position.page === null
        ? { ...filter, order: 'updated_at asc', limit: PAGE_SIZE }
        : { page_info: position.page, limit: PAGE_SIZE },
  });
  const orders = partOf(response, 'orders');
  const next = nextPage(response.headers['link']);
  const total = await totalOf(store, position, filter, next);
  return {
    payloads: objectsOf(orders),
    next,
    ...(total !== undefined && { total }),
  };
}

/** Counting costs a request of its own, so only the first page of an import asks for it. */
async function totalOf(
  store: StoreApi,
  { page, sinceMs }: Position,
  query: Readonly<Record<string, string>>,
  next: string | null,
): Promise<number | undefined> {
  if (page !== null || next === null || store.nowMs - sinceMs < DAY_MS) return undefined;
  const { count } = await readShopify(store, { url: '/orders/count.json', query });
  return typeof count === 'number' ? count : undefined;
}

/** `page_info` of the link with the relation `next`. */
function nextPage(link: string | undefined): string | null {
  for (const entry of (link ?? '').split(',')) {
    const [address = '', ...parameters] = entry.split(';');
    if (!parameters.some((each) => each.trim() === 'rel="next"')) continue;
    const url = URL.parse(address.trim().slice(1, -1));
    return url?.searchParams.get('page_info') ?? null;
  }
  return null;
}
