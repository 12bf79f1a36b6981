import Type from 'typebox';
import { StringEnum } from '../../../../src/kernel/declare/schemas.ts';
import { defineSetting } from '../../../../src/kernel/declare/setting.ts';
import { orderStatuses, type OrderStatus } from '../../../../src/modules/orders/index.ts';
import type { Json } from '../../mapping/payload.ts';
import { instantIn } from './payload.ts';

export const ownStatuses = defineSetting(
  'stores.woocommerce.statuses',
  Type.Record(Type.String({ pattern: '^[a-z0-9_-]{1,40}$' }), StringEnum(orderStatuses), {
    maxProperties: 100,
  }),
  {},
  "What a shop's own order statuses mean, by their name without `wc-`. Otherwise a paid order counts as `processing`, " +
    'an unpaid one as `pending`; one that is paid in part is not stored before this says what its status means.',
);

/** Of plugins for deposits and instalments: only the owner knows whether the order then earns. */
const PART_PAYMENTS = new Set([
  'partial-payment',
  'partially-paid',
  'partial-paid',
  'pending-deposit',
  'scheduled-payment',
]);

/** Whether an order is paid in part, and no setting says what that means. */
export function isPartPayment(status: string, ofSetting: unknown): boolean {
  return PART_PAYMENTS.has(status) && (ofSetting as Json | undefined)?.[status] === undefined;
}

/** Carts and half-written orders of the admin: not placed yet. */
const DRAFTS = new Set(['auto-draft', 'checkout-draft', 'draft']);

export function isDraft(status: string): boolean {
  return DRAFTS.has(status);
}

/**
 * The status of an order by WooCommerce's. An order in the trash no longer earns. A store can add statuses of its own:
 * the setting says what they mean, otherwise a paid order counts as being processed and an unpaid one as pending,
 * which never makes a commission payable by mistake.
 */
export function statusOf(order: Json, status: string, ofSetting: unknown): OrderStatus {
  if (status === 'trash') return 'cancelled';
  const known = orderStatuses.find((name) => name === status);
  if (known) return known;
  const named = (ofSetting as Json | undefined)?.[status];
  const chosen = orderStatuses.find((name) => name === named);
  if (chosen) return chosen;
  return instantIn(order, 'date_paid_gmt') === undefined ? 'pending' : 'processing';
}
