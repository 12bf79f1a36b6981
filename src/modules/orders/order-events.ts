import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';
import { CurrencyCode } from '../../kernel/declare/schemas.ts';

const ReferralData = Type.Object({
  order_id: Type.Integer(),
  coupon_id: Type.Integer(),
  user_id: Type.Integer(),
  total: Type.Number({ description: 'Net of refunds.' }),
  commission: Type.Number({ description: 'The commission that the order earns now.' }),
  currency: CurrencyCode,
  status: Type.String(),
});

const exampleOrder = {
  order_id: 1042,
  coupon_id: 12,
  user_id: 7,
  total: 125,
  commission: 12.5,
  currency: 'USD',
};

export const referralCreated = defineEvent(
  'referral.created',
  'A referred order was attributed to an affiliate.',
  ReferralData,
  {
    id: 42,
    timestamp: '2026-01-20T14:05:09.412Z',
    data: { ...exampleOrder, status: 'processing' },
  },
  'order',
);

export const referralUpdated = defineEvent(
  'referral.updated',
  'A referred order changed.',
  ReferralData,
  {
    id: 49,
    timestamp: '2026-01-24T16:41:30.077Z',
    data: { ...exampleOrder, status: 'completed' },
  },
  'order',
);

export const referralReversed = defineEvent(
  'referral.reversed',
  'A referred order no longer earns commission.',
  Type.Object({
    ...ReferralData.properties,
    amount: Type.Number({ description: 'The commission that was taken back.' }),
  }),
  {
    id: 54,
    timestamp: '2026-01-28T08:12:55.630Z',
    data: {
      ...exampleOrder,
      order_id: 1038,
      total: 80,
      commission: 0,
      status: 'cancelled',
      amount: 8,
    },
  },
  'order',
);
