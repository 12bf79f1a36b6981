import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import { MovedBalanceSchema } from './hand-over.ts';

const ids = {
  coupon_id: Type.Integer(),
  user_id: Nullable(Type.Integer({ description: 'The affiliate it is assigned to.' })),
};

/** `deleted` means that the coupon no longer exists. */
const changeable = [
  'user_id',
  'status',
  'percent_override',
  'fixed_per_order',
  'fixed_per_product',
  'discount',
  'deleted',
] as const;
export type ChangedCouponField = (typeof changeable)[number];

export const couponCreated = defineEvent(
  'coupon.created',
  'A coupon was created.',
  Type.Object(ids),
  { id: 25, timestamp: '2026-01-13T09:14:40.218Z', data: { coupon_id: 12, user_id: 7 } },
);

export const couponUpdated = defineEvent(
  'coupon.updated',
  'A coupon was assigned, given other rates, enabled, disabled or deleted.',
  Type.Object({
    ...ids,
    changed: Type.Array(StringEnum(changeable), { description: 'The names of what changed.' }),
    balance: Type.Optional(MovedBalanceSchema),
  }),
  {
    id: 72,
    timestamp: '2026-02-10T13:25:18.730Z',
    data: {
      coupon_id: 15,
      user_id: 7,
      changed: ['user_id'],
      balance: {
        from_user_id: 8,
        unpaid_commission: 30,
        pending_order_commission: 0,
        currency: 'USD',
      },
    },
  },
);
