import type { Transaction } from '../../../db/database.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { ingestOrders } from '../ingest-orders.ts';
import { lockManyOrders } from '../order-locks.ts';
import { findOrdersToChange } from '../order-rows.ts';
import { toStored } from '../stored-order.ts';
import { customerOf, deleteWaiting, listWaiting, listWaitingStores } from './waiting-rows.ts';

/** Few enough that other requests and orders wait only some milliseconds. */
const ORDERS_PER_TRANSACTION = 50;

/** A history that nothing was added to for so long has ended, or broken off. */
const ENDED_AFTER_MS = 15 * 60_000;

/**
 * Decides the orders of a history, once all of it is stored: oldest first, in whatever order they came in.
 * Every run that stores orders with `isHistory` calls it at its end, also when it fails.
 */
export async function decideHistory(
  site: Site,
  /** A connected store; null for orders that were sent or imported without one. */
  storeId: number | null,
): Promise<void> {
  for (;;) {
    const decided = await site.database.transaction((tx) => decideOldest(tx, site, storeId ?? 0));
    if (decided < ORDERS_PER_TRANSACTION) return;
  }
}

async function decideOldest(tx: Transaction, site: Site, store_id: number): Promise<number> {
  await lockManyOrders(tx);
  const waiting = await listWaiting(tx, { store_id, limit: ORDERS_PER_TRANSACTION });
  if (waiting.length === 0) return 0;
  const rows = await findOrdersToChange(
    tx,
    waiting.map(({ order_id }) => order_id),
  );
  const byId = new Map(waiting.map((one) => [one.order_id, one]));
  const context = { actorId: 0, nowMs: site.clock() };
  const incoming = rows.map((row) => {
    const customer = customerOf(site, byId.get(row.order_id)!);
    const order = { ...toStored(site, row), ...customer, isStored: customer === undefined };
    return { order, context, again: { grants: true } };
  });
  await ingestOrders(tx, site, incoming);
  await deleteWaiting(tx, waiting);
  return waiting.length;
}

/** Decides histories that broke off, and renewals of which there were too many for one transaction. */
export const decideWaiting: Job = {
  name: 'orders.decide-waiting',
  everyMs: 60_000,
  runsOn: 'one',
  async run(site) {
    for (const { store_id, stored_at } of await listWaitingStores(site.database.read)) {
      if (stored_at > site.clock() - ENDED_AFTER_MS) continue;
      await decideHistory(site, store_id === 0 ? null : store_id);
    }
  },
};
