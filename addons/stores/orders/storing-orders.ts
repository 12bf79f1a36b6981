import type { Transaction } from '../../../src/db/database.ts';
import {
  asChanged,
  findOrder,
  ingestOrders,
  type IncomingOrder,
  type OrderRow,
  type PreparedOrder,
  type StoredOrder,
} from '../../../src/modules/orders/index.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import type { KnownOrder } from '../connectors/connector.ts';
import type { NotShown } from './absence.ts';
import {
  findNumbers,
  noteObservations,
  type Observation,
  type OrderNumbers,
} from './order-numbers.ts';
import { scheduleReread } from './reread-rows.ts';

export interface Seen {
  readonly externalId: string;
  /** When the store had the order like that. */
  readonly observedAtMs: number;
  /** Whether the store was asked, and not only sent it. */
  readonly isRead: boolean;
}

/** A version of an order. */
export interface ArrivingOrder extends Seen {
  readonly result: 'order';
  readonly order: PreparedOrder;
}

/** An order that the store has deleted, or does not show. */
export type AbsentOrder =
  | (Seen & { readonly result: 'gone' })
  | (Seen & { readonly result: 'not-shown'; readonly absence: NotShown });

/** The result of a mapping. */
export interface StoredMapping {
  readonly orderId: number | null;
  readonly isChanged: boolean;
  /** Whether it was news from the store, and not only completed with details such as the categories of its products. */
  readonly isNews?: boolean;
  /** The order was not stored: the owner decides. */
  readonly isRefused?: true;
  /** A sentence for the owner; empty for an order that was stored. */
  readonly reason: string;
}

const UNCHANGED = 'The stored order is the same or newer: nothing has changed.';
const NEVER_STORED = 'The store has deleted the order, which was never stored here.';
const CHANGED_ALONE =
  'The store does not show the order, so what the delivery says was applied to the stored one.';

/** Another transaction has stored an order with a number right after it was found to be free. */
export class NumberTaken extends Error {}

/** Orders of one connection in one transaction, in the order in which they were seen. */
export class StoringOrders {
  readonly #tx: Transaction;
  readonly #store: ConnectedStore;
  readonly #nowMs: number;
  readonly #isHistory: boolean;
  readonly #numbers: OrderNumbers;
  /** Numbers of new orders that are not stored yet. */
  readonly #unstored: Set<number>;
  /** When the stored versions were seen, where this changes, by number. */
  readonly #observed = new Map<number, Observation>();

  constructor(
    tx: Transaction,
    store: ConnectedStore,
    numbers: OrderNumbers,
    { nowMs, isHistory }: { nowMs: number; isHistory: boolean },
  ) {
    this.#tx = tx;
    this.#store = store;
    this.#nowMs = nowMs;
    this.#isHistory = isHistory;
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
    const numbered = this.#numbers.byExternalId.get(item.externalId)!;
    const before = this.#observed.get(id) ?? numbered;
    const beforeMs = before.observed_at ?? 0;
    const isConfirmed = order.content === item.order.content && item.observedAtMs > beforeMs;
    const isShownAgain = item.isRead && before.unseen_at !== null;
    if (isConfirmed || isShownAgain || (isChanged && item.observedAtMs !== beforeMs)) {
      this.#observe(before, item, isConfirmed || isChanged ? item.observedAtMs : beforeMs);
    }
    const isNews = stored.isNewVersion;
    return { orderId: id, isChanged, isNews, reason: isChanged ? '' : UNCHANGED };
  }

  /** A delivery proves that the order was there then, but not that the store shows it. */
  #observe({ order_id, unseen_at }: Observation, { isRead }: Seen, observed_at: number): void {
    const unseenAt = isRead || unseen_at === null ? null : Math.max(unseen_at, observed_at);
    this.#observed.set(order_id, { order_id, observed_at, unseen_at: unseenAt });
  }

  /** An order that the store has deleted, or does not show. */
  async storeAbsence(item: AbsentOrder): Promise<StoredMapping> {
    const { externalId } = item;
    const { connection } = this.#store;
    const numbered = (await findNumbers(this.#tx, connection.id, [externalId])).get(externalId);
    await this.#tx.flush();
    const order = numbered && (await findOrder(this.#tx, { order_id: numbered.order_id }));
    if (!order) return { orderId: null, isChanged: false, reason: NEVER_STORED };
    const known = this.#observed.get(order.order_id) ?? numbered;
    if (item.result === 'not-shown') {
      await scheduleReread(this.#tx, connection.id, [externalId], item.absence.rereadAt);
    }
    if (item.result === 'gone' || item.absence.isDeleted) return this.#cancel(order, known, item);
    return this.#leave(order, known, item.absence);
  }

  /** An order that the store has deleted earns nothing any more, as a cancelled one. */
  async #cancel(order: OrderRow, known: Observation, item: AbsentOrder): Promise<StoredMapping> {
    const orderId = order.order_id;
    if (item.observedAtMs < (known.observed_at ?? 0)) {
      const reason = 'The order was seen in the store after it was deleted: nothing has changed.';
      return { orderId, isChanged: false, reason };
    }
    const isChanged = await this.#change(order, { status: 'cancelled' });
    this.#observe(known, { ...item, isRead: true }, item.observedAtMs);
    const reason = 'The store has deleted the order, so it no longer earns commission.';
    return { orderId, isChanged, reason };
  }

  /** It keeps its state, apart from what the delivery itself says. */
  async #leave(order: OrderRow, known: Observation, absence: NotShown): Promise<StoredMapping> {
    const { reason, askedAtMs, changeOf } = absence;
    const orderId = order.order_id;
    const { observed_at, unseen_at } = known;
    if (askedAtMs >= (observed_at ?? 0)) {
      this.#observed.set(orderId, {
        order_id: orderId,
        observed_at,
        unseen_at: unseen_at ?? askedAtMs,
      });
    }
    // The content is an object that was checked before it was stored.
    const change = changeOf?.(JSON.parse(order.content) as KnownOrder);
    if (!change) return { orderId, isChanged: false, reason };
    const isChanged = await this.#change(order, change);
    return { orderId, isChanged, reason: isChanged ? CHANGED_ALONE : UNCHANGED };
  }

  async #change(order: OrderRow, change: Parameters<typeof asChanged>[2]): Promise<boolean> {
    const changed = asChanged(this.#store.site, order, change);
    const [stored] = await this.#ingest([{ order: changed }]);
    return stored!.isChanged;
  }

  noteObservations(): Promise<void> {
    return noteObservations(this.#tx, [...this.#observed.values()]);
  }

  #ingest(orders: readonly Omit<IncomingOrder, 'context'>[]): Promise<StoredOrder[]> {
    const context = { actorId: 0, nowMs: this.#nowMs };
    return ingestOrders(
      this.#tx,
      this.#store.site,
      orders.map((order) => ({ ...order, context, isHistory: this.#isHistory })),
    );
  }
}
