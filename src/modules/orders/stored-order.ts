import type { Site } from '../../kernel/declare/site.ts';
import { toPrepared } from './commission/explain-commission.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';

/** A stored order as it would come in again. What is not kept of its customer is missing. */
export function toStored(site: Site, row: OrderRow): PreparedOrder {
  const { store_id: storeId, customer_hash: customerHash, visitor_hash: visitorHash } = row;
  return { ...toPrepared(site, row), storeId, customerHash, visitorHash };
}
