import type { Transaction } from '../../../db/database.ts';
import { ApiError } from '../../../kernel/declare/errors.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import {
  asCancelled,
  findOrder,
  ingestOrders,
  NO_ORDER_ID,
  readOrder,
  type IncomingOrder,
  type PreparedOrder,
  type StoredOrder,
} from '../../../modules/orders/index.ts';
import { isStorable } from '../../../shared/storable.ts';
import { noteLastOrder, type ConnectionRow } from '../connections/connection-rows.ts';
import { withRate } from './exchange-rate.ts';
import type { FinalMapping, Observed } from './map-order.ts';
import { findNumbers, noteObservations, numberOrders, type OrderNumbers } from './order-numbers.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import { nextReread, scheduleRereads } from './reread-rows.ts';

/** A mapping that was checked, so that storing it cannot be refused. */
export type ReadyOrder =
  | (Seen & { readonly result: 'order'; readonly order: PreparedOrder })
  | (Seen & { readonly result: 'gone' });

interface Seen {
  readonly externalId: string;
  /** When the store had the order like that. */
  readonly observedAtMs: number;
}

export type Checked =
  | ReadyOrder
  | Extract<FinalMapping, { result: 'redact' }>
  | { readonly result: 'ignored' | 'failed'; readonly reason: string };

export function isReady(checked: Checked): checked is ReadyOrder {
  return checked.result === 'order' || checked.result === 'gone';
}

/** The result of a mapping. */
export interface StoredMapping {
  readonly orderId: number | null;
  readonly isChanged: boolean;
  /** The order was not stored: the owner decides. */
  readonly isRefused?: true;
  /** A sentence for the owner; empty for an order that was stored. */
  readonly reason: string;
}

const UNCHANGED = 'The stored order is the same or newer: nothing has changed.';

/** Checks a mapped order as `PUT /orders` does. */
export function checkMapping(
  { site, connection }: ConnectedStore,
  { mapping, observedAtMs }: Observed,
): Checked {
  if (mapping.result === 'gone') {
    const { externalId } = mapping;
    if (isStorable(externalId)) return { result: 'gone', externalId, observedAtMs };
    return { result: 'failed', reason: 'The order id contains invalid characters.' };
  }
  if (mapping.result !== 'order') return mapping;
  const order = withRate(site, connection, mapping.order);
  if (typeof order === 'string') return { result: 'failed', reason: order };
  try {
    const prepared = readOrder(site, { ...order, order_id: NO_ORDER_ID }, connection.id);
    const externalId = mapping.order.external_id;
    return { result: 'order', externalId, observedAtMs, order: prepared };
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

/** Another transaction has stored an order with a number right after it was found to be free. */
export class NumberTaken extends Error {}

/**
 * Stores orders of one connection through the same code as `PUT /orders`, in the order in which they were seen in the
 * store. Of two versions of the same time the one that was seen later counts: stores date them by the second.
 */
export async function storeOrders(
  tx: Transaction,
  store: ConnectedStore,
  ready: readonly ReadyOrder[],
): Promise<StoredMapping[]> {
  if (ready.length === 0) return [];
  const { site, connection } = store;
  // Another transaction may be storing the same orders, as they were at another time.
  await tx.lock(`store orders ${connection.id}`);
  const nowMs = site.clock();
  const bySeen = ready.toSorted((a, b) => a.observedAtMs - b.observedAtMs);
  const arriving = bySeen.filter((item) => item.result === 'order');
  const storing = new StoringOrders(tx, site, nowMs, await number(tx, store, arriving));
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
      results.set(item, await storing.cancel(connection, item));
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

type ArrivingOrder = Extract<ReadyOrder, { result: 'order' }>;

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

/** Orders of one connection in one transaction, in the order in which they were seen. */
class StoringOrders {
  readonly #tx: Transaction;
  readonly #site: Site;
  readonly #nowMs: number;
  readonly #numbers: OrderNumbers;
  /** Numbers of new orders that are not stored yet. */
  readonly #unstored: Set<number>;
  /** When the stored versions were seen, where this changes. */
  readonly #observed = new Map<number, number>();

  constructor(tx: Transaction, site: Site, nowMs: number, numbers: OrderNumbers) {
    this.#tx = tx;
    this.#site = site;
    this.#nowMs = nowMs;
    this.#numbers = numbers;
    this.#unstored = new Set(numbers.assigned);
  }

  async store(items: readonly ArrivingOrder[]): Promise<StoredMapping[]> {
    const { byExternalId, refused } = this.#numbers;
    const accepted = items.filter(({ externalId }) => !refused.has(externalId));
    const ingested = await this.#ingest(
      accepted.map((item) => {
        const numbered = byExternalId.get(item.externalId)!;
        return {
          order: { ...item.order, orderId: numbered.order_id },
          isSeenEarlier: item.observedAtMs < (numbered.observed_at ?? 0),
        };
      }),
    );
    const stored = new Map(accepted.map((item, i) => [item, this.#note(item, ingested[i]!)]));
    return items.map(
      (item) =>
        stored.get(item) ?? {
          orderId: null,
          isChanged: false,
          isRefused: true,
          reason: refused.get(item.externalId)!,
        },
    );
  }

  #note(item: ArrivingOrder, stored: StoredOrder): StoredMapping {
    const { order, isNew, isChanged } = stored;
    const id = order.order_id;
    if (this.#unstored.delete(id) && !isNew) {
      throw new NumberTaken('An order has the number that was assigned to another one');
    }
    const before = this.#observed.get(id) ?? this.#observedBefore(item.externalId);
    const isConfirmed = order.content === item.order.content && item.observedAtMs > before;
    if (isConfirmed || (isChanged && item.observedAtMs !== before)) {
      this.#observed.set(id, item.observedAtMs);
    }
    return { orderId: id, isChanged, reason: isChanged ? '' : UNCHANGED };
  }

  #observedBefore(externalId: string): number {
    return this.#numbers.byExternalId.get(externalId)?.observed_at ?? 0;
  }

  /** An order that the store has deleted earns nothing any more, as a cancelled one. */
  async cancel(
    connection: ConnectionRow,
    { externalId, observedAtMs }: Seen,
  ): Promise<StoredMapping> {
    const numbered = (await findNumbers(this.#tx, connection.id, [externalId])).get(externalId);
    await this.#tx.flush();
    const order = numbered && (await findOrder(this.#tx, { order_id: numbered.order_id }));
    if (!order) {
      const reason = 'The store has deleted the order, which was never stored here.';
      return { orderId: null, isChanged: false, reason };
    }
    const orderId = order.order_id;
    if (observedAtMs < (this.#observed.get(orderId) ?? numbered.observed_at ?? 0)) {
      const reason = 'The order was seen in the store after it was deleted: nothing has changed.';
      return { orderId, isChanged: false, reason };
    }
    const [stored] = await this.#ingest([{ order: asCancelled(this.#site, order) }]);
    this.#observed.set(orderId, observedAtMs);
    const reason = 'The store has deleted the order, so it no longer earns commission.';
    return { orderId, isChanged: stored!.isChanged, reason };
  }

  noteObservations(): Promise<void> {
    return noteObservations(this.#tx, this.#observed);
  }

  #ingest(orders: readonly Omit<IncomingOrder, 'context'>[]): Promise<StoredOrder[]> {
    const context = { actorId: 0, nowMs: this.#nowMs };
    return ingestOrders(
      this.#tx,
      this.#site,
      orders.map((order) => ({ ...order, context })),
    );
  }
}
