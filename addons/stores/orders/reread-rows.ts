import type { Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { delayDays, type PreparedOrder } from '../../../src/modules/orders/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';

/** Orders and refunds are deleted within days, if at all. */
const DAYS_MIN = 14;

const schedule = query<{ connection_id: number; ids: string; reread_at: number | null }>(
  (db, p, _given, dialect) =>
    db
      .updateTable('store_orders')
      .set({ reread_at: p.reread_at })
      .where('connection_id', '=', p.connection_id)
      .where(dialect.inJsonArray('external_id', p.ids, 'text')),
);

export interface DueReread {
  external_id: string;
  placed_at: number;
  refunded: number;
  /** 1 while an affiliate earns from the order. */
  earns: number;
  /** Since when the store does not show it; null if it does. */
  unseen_at: number | null;
}

export const listDueRereads = readAll<
  { connection_id: number; now: number; limit: number },
  DueReread
>((db, p) =>
  db
    .selectFrom('store_orders')
    .innerJoin('orders', 'orders.order_id', 'store_orders.order_id')
    .select(['store_orders.external_id', 'store_orders.unseen_at'])
    .select(['orders.placed_at', 'orders.refunded'])
    .select((eb) =>
      eb
        .case()
        .when(
          eb.exists(
            eb
              .selectFrom('referrals')
              .select('coupon_id')
              .whereRef('referrals.order_id', '=', 'store_orders.order_id')
              .where('state', '!=', 'void'),
          ),
        )
        .then(1)
        .else(0)
        .end()
        .as('earns'),
    )
    .where('connection_id', '=', p.connection_id)
    .where('reread_at', '<=', p.now)
    .orderBy('reread_at')
    .limit(p.limit),
);

/** In a day, while the commission of the order may be held; null afterwards. */
export function nextReread(site: Site, placedAtMs: number, nowMs: number): number | null {
  const windowMs = Math.max(site.settings.get(delayDays), DAYS_MIN) * DAY_MS;
  return placedAtMs + windowMs > nowMs ? nowMs + DAY_MS : null;
}

/**
 * An order with refunds is read again once a day: stores report neither a deleted refund nor a change of the order's
 * time by it.
 */
export async function scheduleRereads(
  tx: Transaction,
  site: Site,
  connectionId: number,
  orders: readonly { externalId: string; order: PreparedOrder }[],
  nowMs: number,
): Promise<void> {
  for (const { externalId, order } of orders) {
    if (order.refunded === 0) continue;
    const rereadAt = nextReread(site, order.placedAtMs, nowMs);
    await scheduleReread(tx, connectionId, [externalId], rereadAt);
  }
}

export async function scheduleReread(
  tx: Transaction,
  connectionId: number,
  externalIds: readonly string[],
  rereadAt: number | null,
): Promise<void> {
  if (externalIds.length === 0) return;
  const ids = JSON.stringify(externalIds);
  await tx.run(schedule, { connection_id: connectionId, ids, reread_at: rereadAt });
}
