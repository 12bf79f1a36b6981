import Type from 'typebox';
import type { Transaction } from '../../../db/database.ts';
import { defineEvent } from '../../../kernel/declare/event.ts';
import { Nullable } from '../../../kernel/declare/schemas.ts';
import { emit } from '../../events/index.ts';

export const customerAffiliateChanged = defineEvent(
  'customer.affiliate_changed',
  'A customer belongs to another affiliate, to none, or since an earlier order: the team said so, or an earlier order was learned. Orders so far stay as they are.',
  Type.Object({
    order_id: Type.Integer({ description: 'An order of the customer.' }),
    user_id: Nullable(Type.Integer({ description: 'The affiliate that the customer has now.' })),
    coupon_id: Nullable(Type.Integer({ description: 'The coupon that later orders go to.' })),
    previous_user_id: Nullable(Type.Integer({ description: 'The affiliate before.' })),
    previous_coupon_id: Nullable(Type.Integer({ description: 'The coupon before.' })),
  }),
  {
    id: 157,
    timestamp: '2026-03-02T17:30:44.120Z',
    data: {
      order_id: 1042,
      user_id: 7,
      coupon_id: 12,
      previous_user_id: 9,
      previous_coupon_id: 15,
    },
  },
  'order',
);

export function emitOwnerChange(
  tx: Transaction,
  orderId: number,
  before: { user_id: number | null; coupon_id: number } | undefined,
  after: { user_id: number; coupon_id: number } | undefined,
  { actorId: userId, nowMs }: { actorId: number; nowMs: number },
): void {
  const whom = after ? `affiliate ${after.user_id}` : 'no affiliate';
  emit(tx, customerAffiliateChanged, {
    objectId: orderId,
    userId,
    info: `The customer of order ${orderId} belongs to ${whom} now.`,
    data: {
      order_id: orderId,
      user_id: after?.user_id ?? null,
      coupon_id: after?.coupon_id ?? null,
      previous_user_id: before?.user_id ?? null,
      previous_coupon_id: before?.coupon_id ?? null,
    },
    nowMs,
  });
}
