import Type from 'typebox';
import { defineEvent } from '../../src/kernel/declare/event.ts';
import { CurrencyCode, Nullable } from '../../src/kernel/declare/schemas.ts';

export const parentChanged = defineEvent(
  'mla.parent_changed',
  'The parent of an affiliate was changed or removed.',
  Type.Object({
    user_id: Type.Integer({ description: 'The affiliate.' }),
    parent_id: Nullable(Type.Integer()),
  }),
  { id: 33, timestamp: '2026-01-14T12:03:08.664Z', data: { user_id: 7, parent_id: 4 } },
  'user',
);

const ShareData = Type.Object({
  coupon_id: Type.Integer({
    description: 'The coupon of the upline affiliate that the share was posted to.',
  }),
  user_id: Type.Integer({ description: 'The upline affiliate.' }),
  order_id: Type.Integer(),
  amount: Type.Number(),
  currency: CurrencyCode,
  note: Type.String(),
});

const exampleShare = {
  coupon_id: 9,
  user_id: 4,
  order_id: 1042,
  amount: 6.25,
  currency: 'USD',
  note: 'Order 1042 (level 1): completed',
};

export const shareAdded = defineEvent(
  'commission.mla_added',
  "Commission from a lower tier's order became payable.",
  ShareData,
  {
    id: 50,
    timestamp: '2026-01-24T16:41:30.077Z',
    data: exampleShare,
  },
  'coupon',
);

export const shareRemoved = defineEvent(
  'commission.mla_removed',
  "Payable commission from a lower tier's order was taken back.",
  ShareData,
  {
    id: 55,
    timestamp: '2026-01-28T08:12:55.630Z',
    data: { ...exampleShare, order_id: 1038, amount: 4, note: 'Order 1038 (level 1): cancelled' },
  },
  'coupon',
);
