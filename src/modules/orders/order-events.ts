import Type from 'typebox';
import { defineEvent } from '../../kernel/event.ts';
import { CurrencyCode } from '../../kernel/schemas.ts';

const ReferralData = Type.Object({
  order_id: Type.Integer(),
  coupon_id: Type.Integer(),
  user_id: Type.Integer(),
  total: Type.Number({ description: 'Net of refunds.' }),
  commission: Type.Number({ description: 'What the order earns now.' }),
  currency: CurrencyCode,
  status: Type.String(),
});

export const referralCreated = defineEvent(
  'referral.created',
  'A referred order was attributed to an affiliate.',
  ReferralData,
);

export const referralUpdated = defineEvent(
  'referral.updated',
  'A referred order changed.',
  ReferralData,
);

export const referralReversed = defineEvent(
  'referral.reversed',
  'A referred order no longer earns commission.',
  Type.Object({
    ...ReferralData.properties,
    amount: Type.Number({ description: 'The commission that was taken back.' }),
  }),
);
