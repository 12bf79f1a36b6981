import type { Transaction } from '../../../src/db/database.ts';
import { ApiError } from '../../../src/kernel/declare/errors.ts';
import { NO_ORDER_ID, readOrder } from '../../../src/modules/orders/index.ts';
import { isStorable } from '../../../src/shared/storable.ts';
import { noteLastOrder } from '../connections/connection-rows.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import { withRate } from './exchange-rate.ts';
import type { FinalMapping, Observed } from './map-order.ts';
import { numberOrders, type OrderNumbers } from './order-numbers.ts';
import { nextReread, scheduleRereads } from './reread-rows.ts';
import {
  StoringOrders,
  type AbsentOrder,
  type ArrivingOrder,
  type StoredMapping,
} from './storing-orders.ts';

/** A mapping that was checked, so that storing it cannot be refused. */
export type ReadyOrder = ArrivingOrder | AbsentOrder;

export type Checked =
  | ReadyOrder
  | Extract<FinalMapping, { result: 'redact' }>
  | { readonly result: 'ignored' | 'failed'; readonly reason: string };

export function isReady(checked: Checked): checked is ReadyOrder {
  return ['order', 'gone', 'not-shown'].includes(checked.result);
}

/** Checks a mapped order as `PUT /orders` does. */
export function checkMapping(
  { site, connection }: ConnectedStore,
  { mapping, observedAtMs, isRead }: Observed,
): Checked {
  const seen = { observedAtMs, isRead };
  if (mapping.result === 'not-shown') {
    const { result, externalId } = mapping;
    return { ...seen, result, externalId, absence: mapping };
  }
  if (mapping.result === 'gone') {
    const { result, externalId } = mapping;
    if (isStorable(externalId)) return { ...seen, result, externalId };
    return { result: 'failed', reason: 'The order id contains invalid characters.' };
  }
  if (mapping.result !== 'order') return mapping;
  const order = withRate(site, connection, mapping.order);
  if (typeof order === 'string') return { result: 'failed', reason: order };
  try {
    const prepared = readOrder(site, { ...order, order_id: NO_ORDER_ID }, connection.id);
    const externalId = mapping.order.external_id;
    return { ...seen, result: 'order', externalId, order: prepared };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { result: 'failed', reason: reasonOf(error) };
  }
}

function reasonOf({ message, data }: ApiError): string {
  const { params = {}, invalid = {} } = data;
  if (Array.isArray(params)) return `The order lacks ${params.join(', ')}.`;
  const reasons = Object.entries({ ...params, ...invalid });
  if (reasons.length === 0) return message;
  return `The order is not valid: ${reasons.map(([name, why]) => `${name} ${why}`).join('; ')}.`;
}

export interface Storing {
  /** They are read page by page, newest or oldest first: what they mean is decided when all are stored. */
  readonly isHistory?: boolean;
}

/**
 * Stores orders of one connection through the same code as `PUT /orders`, in the order in which they were seen in the
 * store. Of two versions of the same time the one that was seen later counts: stores date them by the second.
 */
export async function storeOrders(
  tx: Transaction,
  store: ConnectedStore,
  ready: readonly ReadyOrder[],
  { isHistory = false }: Storing = {},
): Promise<StoredMapping[]> {
  if (ready.length === 0) return [];
  const { site, connection } = store;
  // Another transaction may be storing the same orders, as they were at another time.
  await tx.lock(`store orders ${connection.id}`);
  const nowMs = site.clock();
  const bySeen = ready.toSorted((a, b) => a.observedAtMs - b.observedAtMs);
  const arriving = bySeen.filter((item) => item.result === 'order');
  const numbers = await number(tx, store, arriving);
  const storing = new StoringOrders(tx, store, numbers, { nowMs, isHistory });
  const results = new Map<ReadyOrder, StoredMapping>();
  let together: ArrivingOrder[] = [];
  const storeTogether = async () => {
    const stored = await storing.store(together);
    for (const [i, item] of together.entries()) results.set(item, stored[i]!);
    together = [];
  };
  for (const item of bySeen) {
    if (item.result === 'order') {
      together.push(item);
    } else {
      await storeTogether();
      results.set(item, await storing.storeAbsence(item));
    }
  }
  await storeTogether();
  await storing.noteObservations();
  const stored = ready.map((item) => results.get(item)!);
  if (stored.some(({ isChanged }) => isChanged))
    await noteLastOrder(tx, { id: connection.id, at: nowMs });
  await scheduleRereads(tx, site, connection.id, arriving, nowMs);
  return stored;
}

function number(
  tx: Transaction,
  { site, connector, connection }: ConnectedStore,
  arriving: readonly ArrivingOrder[],
): Promise<OrderNumbers> {
  // A store that tells nothing about deleted orders is asked about them.
  const isAsked = connector.missingAmong !== undefined;
  const nowMs = site.clock();
  return numberOrders(
    tx,
    connection,
    new Map(
      arriving.map(({ externalId, order, observedAtMs }) => {
        const rereadAt = isAsked ? nextReread(site, order.placedAtMs, nowMs) : null;
        return [externalId, { order, observedAtMs, rereadAt }];
      }),
    ),
    // The time of an order is the store's own, to the second; a program of one's own may send only the day.
    { isShop: connector.normalizeUrl !== undefined },
  );
}
