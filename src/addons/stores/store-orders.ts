import type { Transaction } from '../../db/database.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  asCancelled,
  findOrder,
  ingestOrders,
  NO_ORDER_ID,
  readOrder,
  withNumber,
  type PreparedOrder,
  type StoredOrder,
} from '../../modules/orders/index.ts';
import { isStorable } from '../../shared/storable.ts';
import { noteLastOrder, type ConnectionRow } from './connection-store.ts';
import type { StoreOrder } from './connector.ts';
import type { FinalMapping } from './map-order.ts';
import { findNumbers, numberOrders } from './order-numbers.ts';
import { findConnector } from './connectors.ts';
import { nextReread, scheduleRereads } from './reread-store.ts';

/** A mapping that was checked, so that storing it cannot be refused. */
export type ReadyOrder =
  | { readonly result: 'order'; readonly externalId: string; readonly order: PreparedOrder }
  | { readonly result: 'gone'; readonly externalId: string };

export type Checked =
  | ReadyOrder
  | Extract<FinalMapping, { result: 'redact' }>
  | { readonly result: 'ignored' | 'failed'; readonly reason: string };

/** What became of a mapping. */
export interface StoredMapping {
  readonly orderId: number | null;
  readonly isChanged: boolean;
  /** A sentence for the owner; empty for an order that was stored. */
  readonly reason: string;
}

/** Checks a mapped order as `PUT /orders` does. */
export function checkMapping(
  site: Site,
  connection: ConnectionRow,
  mapping: FinalMapping,
): Checked {
  if (mapping.result === 'gone') {
    const { externalId } = mapping;
    if (isStorable(externalId)) return { result: 'gone', externalId };
    return { result: 'failed', reason: 'The id of the order has characters that no id has.' };
  }
  if (mapping.result !== 'order') return mapping;
  const order = withRate(site, connection, mapping.order);
  if (typeof order === 'string') return { result: 'failed', reason: order };
  try {
    const prepared = readOrder(site, { ...order, order_id: NO_ORDER_ID }, connection.id);
    return { result: 'order', externalId: mapping.order.external_id, order: prepared };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { result: 'failed', reason: reasonOf(error) };
  }
}

/** The order with the connection's exchange rate if it brings none; a sentence if there is no rate. */
function withRate(
  { currency }: Site,
  connection: ConnectionRow,
  order: StoreOrder,
): StoreOrder | string {
  const code = order.currency;
  if (code === undefined || code === currency.code || order.exchange_rate !== undefined) {
    return order;
  }
  // The rates were checked when they were set.
  const rates = JSON.parse(connection.exchange_rates) as Record<string, number>;
  const rate = rates[code];
  if (rate !== undefined) return { ...order, exchange_rate: rate };
  return (
    `The order is in ${code}, and the connection has no exchange rate from ${code} to ${currency.code}. ` +
    'Add one to the connection, then retry.'
  );
}

function reasonOf({ message, data }: ApiError): string {
  const { params = {}, invalid = {} } = data;
  if (Array.isArray(params)) return `The order lacks ${params.join(', ')}.`;
  const reasons = Object.entries({ ...params, ...invalid });
  if (reasons.length === 0) return message;
  return `The order is not valid: ${reasons.map(([name, why]) => `${name} ${why}`).join('; ')}.`;
}

/** Another transaction has stored an order with a number right after it was found to be free. */
export class NumberTaken extends Error {}

/** Stores orders of one connection through the same code as `PUT /orders`, in the given sequence. */
export async function storeOrders(
  tx: Transaction,
  site: Site,
  connection: ConnectionRow,
  ready: readonly ReadyOrder[],
): Promise<StoredMapping[]> {
  const nowMs = site.clock();
  const arriving = ready.filter((item) => item.result === 'order');
  // A store that tells nothing about deleted orders is asked about them.
  const isAsked = findConnector(site, connection.kind)?.missingAmong !== undefined;
  const rereadAt = new Map(
    arriving.map(({ externalId, order }) => [
      externalId,
      isAsked ? nextReread(site, order.placedAtMs, nowMs) : null,
    ]),
  );
  const { byExternalId, assigned } = await numberOrders(tx, connection.id, rereadAt);
  const results: StoredMapping[] = [];
  let together: PreparedOrder[] = [];
  const unstored = new Set(assigned);
  const storeTogether = async () => {
    const stored = await ingest(tx, site, together, nowMs);
    for (const { order, isNew } of stored) {
      if (unstored.delete(order.order_id) && !isNew) {
        throw new NumberTaken('An order has the number that was assigned to another one');
      }
    }
    results.push(...stored.map(toStored));
    together = [];
  };
  for (const item of ready) {
    if (item.result === 'order') {
      together.push(withNumber(item.order, byExternalId.get(item.externalId)!));
    } else {
      await storeTogether();
      results.push(await cancelOrder(tx, site, connection, item.externalId, nowMs));
    }
  }
  await storeTogether();
  if (results.some(({ isChanged }) => isChanged)) await noteLastOrder(tx, connection.id, nowMs);
  await scheduleRereads(tx, site, connection.id, arriving, nowMs);
  return results;
}

function ingest(
  tx: Transaction,
  site: Site,
  orders: readonly PreparedOrder[],
  nowMs: number,
): Promise<StoredOrder[]> {
  const context = { actorId: 0, nowMs };
  return ingestOrders(
    tx,
    site,
    orders.map((order) => ({ order, context })),
  );
}

function toStored({ order, isChanged }: StoredOrder): StoredMapping {
  const reason = isChanged ? '' : 'The stored order is the same or newer: nothing has changed.';
  return { orderId: order.order_id, isChanged, reason };
}

/** An order that the store has deleted earns nothing any more, as a cancelled one. */
async function cancelOrder(
  tx: Transaction,
  site: Site,
  connection: ConnectionRow,
  externalId: string,
  nowMs: number,
): Promise<StoredMapping> {
  const orderId = (await findNumbers(tx, connection.id, [externalId])).get(externalId);
  await tx.flush();
  const order = orderId === undefined ? undefined : await findOrder(tx, orderId);
  if (!order) {
    const reason = 'The store has deleted the order, which was never stored here.';
    return { orderId: null, isChanged: false, reason };
  }
  const [stored] = await ingest(tx, site, [asCancelled(site, order)], nowMs);
  const reason = 'The store has deleted the order: it earns nothing any more.';
  return { orderId: order.order_id, isChanged: stored!.isChanged, reason };
}
