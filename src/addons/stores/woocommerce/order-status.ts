import type { OrderStatus } from '../../../modules/orders/index.ts';
import { orderStatuses } from '../../../modules/orders/index.ts';
import { instantIn, type Fields } from './payload.ts';

/** Carts and half-written orders of the admin: not placed yet. */
const DRAFTS = new Set(['auto-draft', 'checkout-draft', 'draft']);

export function isDraft(status: string): boolean {
  return DRAFTS.has(status);
}

/**
 * The status of an order by WooCommerce's. An order in the trash no longer earns. A shop can add statuses of its own:
 * the setting says what they mean, otherwise a paid order counts as being processed and an unpaid one as pending,
 * which never makes a commission payable by mistake.
 */
export function statusOf(order: Fields, status: string, ofSetting: unknown): OrderStatus {
  if (status === 'trash') return 'cancelled';
  const known = orderStatuses.find((name) => name === status);
  if (known) return known;
  const named = (ofSetting as Fields | undefined)?.[status];
  const chosen = orderStatuses.find((name) => name === named);
  if (chosen) return chosen;
  return instantIn(order, 'date_paid_gmt') === undefined ? 'pending' : 'processing';
}
