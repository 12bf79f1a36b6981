import type { Site } from '../../kernel/declare/site.ts';
import { toPrepared } from './commission/explain-commission.ts';
import type { OrderContent } from './order-content.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';

/** A stored order as it would come in again. What is not kept of its customer is missing. */
function toStored(site: Site, row: OrderRow): PreparedOrder {
  const { store_id: storeId, customer_hash: customerHash, visitor_hash: visitorHash } = row;
  return { ...toPrepared(site, row), storeId, customerHash, visitorHash };
}

/**
 * The stored order with a change, such as cancelled, for one whose store does not send it whole any more. It keeps its
 * time of change: a version that the store sends later counts, also one with the same time, as after restoring the order.
 */
export function asChanged(
  site: Site,
  row: OrderRow,
  change: Partial<Pick<OrderContent, 'status' | 'refunds'>>,
): PreparedOrder {
  // The content is an object that this module has stored.
  const content = JSON.parse(row.content) as OrderContent;
  return toStored(site, { ...row, content: JSON.stringify({ ...content, ...change }) });
}
