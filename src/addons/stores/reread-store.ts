import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { delayDays, type PreparedOrder } from '../../modules/orders/index.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Refunds are deleted within days, if at all. */
const DAYS_MIN = 14;

const schedule = query<{ connection_id: number; external_id: string; reread_at: number | null }>(
  (db, p) =>
    db
      .updateTable('store_orders')
      .set({ reread_at: p.reread_at as number })
      .where('connection_id', '=', p.connection_id)
      .where('external_id', '=', p.external_id),
);

const due = query<{ connection_id: number; now: number; limit: number }, { external_id: string }>(
  (db, p) =>
    db
      .selectFrom('store_orders')
      .select('external_id')
      .where('connection_id', '=', p.connection_id)
      .where('reread_at', '<=', p.now)
      .orderBy('reread_at')
      .limit(p.limit),
);

/**
 * An order with refunds is read again once a day while its commission may be held: stores report neither a deleted
 * refund nor a change of the order's time by it.
 */
export async function scheduleRereads(
  tx: Transaction,
  site: Site,
  connectionId: number,
  orders: readonly { externalId: string; order: PreparedOrder }[],
  nowMs: number,
): Promise<void> {
  const windowMs = Math.max(site.settings.get(delayDays), DAYS_MIN) * DAY_MS;
  for (const { externalId, order } of orders) {
    if (order.refunded === 0) continue;
    const isOpen = order.placedAtMs + windowMs > nowMs;
    await scheduleReread(tx, connectionId, externalId, isOpen ? nowMs + DAY_MS : null);
  }
}

export async function scheduleReread(
  tx: Transaction,
  connectionId: number,
  externalId: string,
  rereadAt: number | null,
): Promise<void> {
  await tx.run(schedule, {
    connection_id: connectionId,
    external_id: externalId,
    reread_at: rereadAt,
  });
}

export async function listDueRereads(
  db: Reader,
  connectionId: number,
  now: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.all(due, { connection_id: connectionId, now, limit });
  return rows.map(({ external_id }) => external_id);
}
