import { BoundedMap } from '../../../../src/shared/bounded-map.ts';
import { DAY_MS } from '../../../../src/shared/durations.ts';
import {
  isObject,
  objectOf,
  objectsOf,
  parsedJson,
  textOf,
  type Json,
} from '../../mapping/payload.ts';
import {
  StoreError,
  type ChangedPage,
  type HiddenOrders,
  type Position,
  type StoreApi,
} from '../connector.ts';
import { queryShopify, TooMuchAsked } from './client.ts';
import { CHANGED_ORDERS, ONE_ORDER, ORDERS_FIRST } from './order-queries.ts';
import { hasScope, readScopes } from './scopes.ts';
import { Throttle } from './throttle.ts';
import { appOf } from './token.ts';
import { completed } from './whole-order.ts';

export async function fetchOrder(store: StoreApi, externalId: string): Promise<unknown> {
  if (!/^\d+$/.test(externalId)) return undefined;
  const { order } = await queryShopify(store, ONE_ORDER, {
    id: `gid://shopify/Order/${externalId}`,
  });
  if (order === null) return undefined;
  // An answer without it is no answer: it must not be taken for a store that has no such order.
  if (!isObject(order)) throw noOrders();
  return completed(store, order);
}

function noOrders(): StoreError {
  return new StoreError('failed', 'Shopify did not answer with orders.');
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

/** Large orders need requests of their own; those that are not read by then are in the next page. */
const READ_MS_MAX = 20_000;

/** One page of orders by their last change. */
export async function changedSince(store: StoreApi, position: Position): Promise<ChangedPage> {
  const place = placeOf(position);
  const isImport = store.nowMs - position.sinceMs >= DAY_MS;
  const answer = await queryPage(store, place, position.page === null && isImport);
  const { edges, pageInfo } = objectOf(answer['orders']);
  const { hasNextPage } = objectOf(pageInfo);
  const listed = objectsOf(edges);
  if (!Array.isArray(edges) || typeof hasNextPage !== 'boolean') throw noOrders();
  if (hasNextPage && listed.length === 0) throw noOrders();
  const untilMs = performance.now() + READ_MS_MAX;
  const payloads: Json[] = [];
  for (const { node } of listed) {
    if (payloads.length > 0 && performance.now() > untilMs) break;
    payloads.push(await completed(store, objectOf(node)));
  }
  const isLast = !hasNextPage && payloads.length === listed.length;
  const { count } = objectOf(answer['ordersCount']);
  return {
    payloads,
    next: isLast ? null : JSON.stringify(placeAfter(place, listed.slice(0, payloads.length))),
    ...(typeof count === 'number' && { total: count }),
  };
}

/** Where a page begins. The marker of the page after it says this. */
interface Place {
  readonly sinceMs: number;
  readonly after: string | null;
  /** Orders that were listed since `sinceMs`. */
  readonly listed: number;
}

/** Shopify lists no more than 25,000 of one query. Later ones are listed by a query that begins later. */
const LISTED_MAX = 20_000;

/** A marker of an earlier version is none: the run begins again. */
function placeOf({ sinceMs, page }: Position): Place {
  const { after, listed, ...known } = objectOf(parsedJson(page ?? ''));
  return typeof known['sinceMs'] === 'number' && typeof listed === 'number'
    ? { sinceMs: known['sinceMs'], after: textOf(after) ?? null, listed }
    : { sinceMs, after: null, listed: 0 };
}

function placeAfter({ sinceMs, listed }: Place, read: readonly Json[]): Place {
  const { cursor, node } = read.at(-1)!;
  const changedMs = Date.parse(textOf(objectOf(node)['updatedAt']) ?? '');
  const count = listed + read.length;
  if (count >= LISTED_MAX && changedMs > sinceMs) {
    return { sinceMs: changedMs, after: null, listed: 0 };
  }
  const after = textOf(cursor);
  if (after === undefined) throw noOrders();
  return { sinceMs, after, listed: count };
}

const APPS_MAX = 1_000;
const ORDERS_MOST = 100;
/** Of the 1,000 points that a query may cost. */
const COST_WANTED = 500;

/** How many orders cost about `COST_WANTED`, by what the pages before have cost. */
const pageSizes = new BoundedMap<string, number>(APPS_MAX);

async function queryPage(store: StoreApi, place: Place, counts: boolean): Promise<Json> {
  const since = new Date(place.sinceMs).toISOString().slice(0, 19);
  const query = `updated_at:>='${since}Z'`;
  const app = appOf(store);
  for (let first = pageSizes.get(app) ?? ORDERS_FIRST; ; first = Math.floor(first / 2)) {
    const variables = { first, after: place.after, query, counts };
    try {
      const answer = await queryShopify(store, CHANGED_ORDERS, variables);
      const cost = Throttle.of(store).costOf(CHANGED_ORDERS, variables);
      if (cost) {
        const fitting = Math.floor((first * COST_WANTED) / cost);
        pageSizes.set(app, Math.min(Math.max(fitting, 1), ORDERS_MOST));
      }
      return answer;
    } catch (error) {
      if (!(error instanceof TooMuchAsked) || first <= 1) throw error;
    }
  }
}
