import { readFirst } from '../../../src/db/statements/calls.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import type { KnownOrder, OrderChange } from '../connectors/connector.ts';

/**
 * That a store does not show an order decides nothing: it may hide old orders, restore a backup, or answer for another
 * shop. The order keeps its state. It counts as deleted if the store has not shown it twice, a day apart, and would
 * show an order of that age; everything else needs a message that says so.
 */
export interface NotShown {
  readonly result: 'not-shown';
  readonly externalId: string;
  readonly reason: string;
  /** When the store was asked. */
  readonly askedAtMs: number;
  readonly isDeleted: boolean;
  /** When it is asked again; null if that would tell nothing. */
  readonly rereadAt: number | null;
  /** What the delivery itself says about the stored order. */
  readonly changeOf?: (known: KnownOrder) => OrderChange | undefined;
}

export const findStored = readFirst<
  { connection_id: number; external_id: string },
  { placed_at: number; modified_at: number | null; unseen_at: number | null }
>((db, p) =>
  db
    .selectFrom('store_orders')
    .innerJoin('orders', 'orders.order_id', 'store_orders.order_id')
    .select(['orders.placed_at', 'orders.modified_at', 'store_orders.unseen_at'])
    .where('store_orders.connection_id', '=', p.connection_id)
    .where('store_orders.external_id', '=', p.external_id),
);

/** What follows from the answer of a store that it has no such order. */
export async function notShown(
  store: ConnectedStore,
  externalId: string,
  askedAtMs: number,
): Promise<NotShown | { result: 'ignored'; reason: string }> {
  const { site, connector, connection } = store;
  const { hides } = connector;
  const order = await findStored(site.database.read, {
    connection_id: connection.id,
    external_id: externalId,
  });
  if (!order) {
    const reason = 'The store shows no such order, and none of it is stored here.';
    return { result: 'ignored', reason };
  }
  const wouldShow =
    !hides || (await askConnected(store, (api) => hides.shows(api, order.placed_at)));
  const { unseen_at: since } = order;
  const isDeleted = wouldShow && since !== null && askedAtMs - since >= DAY_MS;
  return {
    result: 'not-shown',
    externalId,
    reason: 'The store does not show the order, which stays as it is.',
    askedAtMs,
    isDeleted,
    rereadAt: wouldShow && !isDeleted ? askedAtMs + DAY_MS : null,
  };
}
