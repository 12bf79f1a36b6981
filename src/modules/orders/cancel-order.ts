import type { Site } from '../../kernel/declare/site.ts';
import { toPrepared } from './commission/explain-commission.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';

/**
 * The stored order as cancelled, for an order that the store has deleted. It keeps its time of change: a version that
 * the store sends later counts, also one with the same time, as after restoring the order.
 */
export function asCancelled(site: Site, row: OrderRow): PreparedOrder {
  // The content is an object that this module has stored.
  const content = JSON.parse(row.content) as Record<string, unknown>;
  return {
    ...toPrepared(site, row),
    storeId: row.store_id,
    status: 'cancelled',
    customerHash: row.customer_hash,
    visitorHash: row.visitor_hash,
    content: JSON.stringify({ ...content, status: 'cancelled' }),
  };
}
