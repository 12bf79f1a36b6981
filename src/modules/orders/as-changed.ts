import type { Site } from '../../kernel/declare/site.ts';
import type { OrderContent } from './order-content.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';
import { toStored } from './stored-order.ts';

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
  const before = JSON.parse(row.content) as OrderContent;
  const content = JSON.stringify({ ...before, ...change });
  return toStored(site, { ...row, content });
}
