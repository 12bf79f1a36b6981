import type { Json } from '../../mapping/payload.ts';
import { StoreError, type ChangedPage, type Position, type StoreApi } from '../connector.ts';
import { readAll, readOne, readPage, type Page } from './client.ts';
import { hidesDecimals, idIn, instantIn, listIn } from './payload.ts';
import { renewedSubscription, withSubscription } from './subscription.ts';

/** Where a walk through changed orders is. Orders in the trash are in a list of their own. */
interface Cursor {
  readonly list: 'orders' | 'trash';
  /** Seconds; where the walk began. */
  readonly since: number;
  /** Seconds; orders modified later than this follow. */
  readonly after: number;
  readonly page: number;
  readonly total: number | undefined;
  /** The last orders of the page before, as `id time`: those of its last second are read again. */
  readonly seen?: readonly string[];
}

/**
 * One page of changed orders. Pages follow the time of change, not page numbers: an order that changes during the
 * walk moves to the end, and with numbers another one would move to a page that was already read.
 */
export async function changedSince(store: StoreApi, position: Position): Promise<ChangedPage> {
  const cursor = position.page === null ? undefined : (JSON.parse(position.page) as Cursor);
  const since = cursor?.since ?? Math.floor(position.sinceMs / 1000);
  if (cursor) {
    const next = await read(store, cursor);
    const isTrash = cursor.list === 'trash' && cursor.page === 1 && cursor.after === since - 1;
    // The trash is counted when its first page is read.
    return walk(isTrash ? { ...cursor, total: sumOf(cursor.total, next.total) } : cursor, next);
  }
  const first = begin('orders', since, undefined);
  const page = await read(store, first);
  const late = secondsBehind(store, page);
  if (late === 0) return walk({ ...first, total: page.total }, page);
  // The store's clock is slow, so a change of this minute has an earlier time there.
  const earlier = begin('orders', since - late, undefined);
  const again = await read(store, earlier);
  return walk({ ...earlier, total: again.total }, again);
}

/** `modified_after` leaves out the second that it names. */
function begin(list: Cursor['list'], since: number, total: number | undefined): Cursor {
  return { list, since, after: since - 1, page: 1, total };
}

async function read(store: StoreApi, { list, after, page }: Cursor): Promise<Page> {
  const query = {
    // Every status includes those of the store's own, but not the trash.
    status: list === 'trash' ? 'trash' : 'any',
    modified_after: gmt(after),
    dates_are_gmt: true,
    orderby: 'modified',
    order: 'asc',
    page,
  };
  const found = await readPage(store, '/orders', query);
  // WooCommerce rounds amounts to the decimals that the shop shows, unless the request says otherwise.
  return found.items.some(hidesDecimals)
    ? readPage(store, '/orders', { ...query, ...DECIMALS })
    : found;
}

const DECIMALS = { dp: 2 };

/** Without a zone: with one, WooCommerce moves the time by the store's own offset, and changes are missed. */
function gmt(seconds: number): string {
  return new Date(Math.max(0, seconds) * 1000).toISOString().slice(0, 19);
}

function walk(cursor: Cursor, page: Page): ChangedPage {
  const next = nextCursor(cursor, page);
  return {
    payloads: page.items,
    next: next === undefined ? null : JSON.stringify(next),
    ...(cursor.total !== undefined && { total: cursor.total }),
    repeated: page.items.filter((order) => cursor.seen?.includes(versionOf(order))).length,
  };
}

function versionOf(order: Json): string {
  return `${idIn(order)} ${instantIn(order, 'date_modified_gmt')}`;
}

function sumOf(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function nextCursor(cursor: Cursor, { items, isLast }: Page): Cursor | undefined {
  if (!isLast) {
    const time = instantIn(items.at(-1)!, 'date_modified_gmt');
    const last = Date.parse(time ?? '') / 1000 - 1;
    // If every order of the page changed within one second, only its number leads on.
    if (!(last > cursor.after)) return { ...cursor, page: cursor.page + 1 };
    const ofLast = items.filter((order) => instantIn(order, 'date_modified_gmt') === time);
    return { ...cursor, after: last, page: 1, seen: ofLast.map(versionOf) };
  }
  return cursor.list === 'orders' ? begin('trash', cursor.since, cursor.total) : undefined;
}

const TOLERATED_SECONDS = 2;

/** How far the store's clock is behind ours, by the Date of its answer. */
function secondsBehind(store: StoreApi, { headers }: Page): number {
  const behind = Math.ceil((store.nowMs - Date.parse(headers['date'] ?? '')) / 1000);
  return behind > TOLERATED_SECONDS ? behind : 0;
}

/** An order with the lines of its refunds, which the order itself does not have. */
export async function fetchOrder(store: StoreApi, externalId: string): Promise<unknown> {
  const path = `/orders/${encodeURIComponent(externalId)}`;
  const shown = await readOne(store, path);
  const decimals = shown && hidesDecimals(shown) ? DECIMALS : undefined;
  const found = decimals ? await readOne(store, path, decimals) : shown;
  if (found === undefined) return undefined;
  const order = await withRenewed(store, found);
  if (listIn(order, 'refunds').length === 0) return order;
  const detailed = await readAll(store, `${path}/refunds`, decimals);
  const byId = new Map(detailed.map((refund) => [idIn(refund), refund]));
  const refunds = listIn(order, 'refunds').map((refund) => ({
    ...refund,
    ...byId.get(idIn(refund)),
  }));
  return { ...order, refunds };
}

/** An order that renews a subscription, with the subscription. */
async function withRenewed(store: StoreApi, order: Json): Promise<Json> {
  const id = renewedSubscription(order);
  if (id === undefined) return order;
  return withSubscription(order, await readSubscription(store, id));
}

/** The subscription may be deleted, or its plugin inactive. */
async function readSubscription(store: StoreApi, id: string): Promise<Json | undefined> {
  try {
    return await readOne(store, `/subscriptions/${encodeURIComponent(id)}`);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'failed') return undefined;
    throw error;
  }
}

/** WooCommerce sends nothing about orders that are deleted without the trash, or from it. */
export async function missingAmong(
  store: StoreApi,
  externalIds: readonly string[],
): Promise<readonly string[]> {
  const listed = new Set<string | undefined>();
  for (let page = 1, isLast = false; !isLast; page++) {
    const query = { include: externalIds.join(','), status: 'any', _fields: 'id', page };
    const found = await readPage(store, '/orders', query);
    for (const order of found.items) listed.add(idIn(order));
    isLast = found.isLast;
  }
  return externalIds.filter((id) => !listed.has(id));
}
