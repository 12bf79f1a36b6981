import Type from 'typebox';
import { defineEvent } from '../../kernel/event.ts';
import { CurrencyCode, Nullable } from '../../kernel/schemas.ts';

export const parentChanged = defineEvent(
  'mla.parent_changed',
  'An affiliate has another parent, or none any more.',
  Type.Object({
    user_id: Type.Integer({ description: 'The affiliate.' }),
    parent_id: Nullable(Type.Integer()),
  }),
);

const ShareData = Type.Object({
  coupon_id: Type.Integer({ description: "The parent's coupon that the money is on." }),
  user_id: Type.Integer({ description: 'The parent.' }),
  order_id: Type.Integer(),
  amount: Type.Number(),
  currency: CurrencyCode,
  note: Type.String(),
});

export const shareAdded = defineEvent(
  'commission.mla_added',
  "Commission from a lower level's order became payable.",
  ShareData,
);

export const shareRemoved = defineEvent(
  'commission.mla_removed',
  "Payable commission from a lower level's order was taken back.",
  ShareData,
);
