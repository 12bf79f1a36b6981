import Type from 'typebox';
import { defineMail, type MailDefinition, type Notice } from '../../../modules/mail/index.ts';

const PayoutMailData = Type.Object({
  payout_id: Type.String(),
  name: Type.String(),
  money: Type.String({ description: 'The amount with its currency, as people write it.' }),
  amount: Type.String({ description: 'The amount as a decimal number.' }),
  currency: Type.String(),
  coupon_code: Type.String(),
  method: Type.String(),
  state: Type.String({ description: 'The status in words.' }),
  reference: Type.String(),
  reason: Type.String(),
});

export type PayoutMail = MailDefinition<typeof PayoutMailData>;

/** Mails about the progress of a payout. A payout that is not paid is always reported. */
export const payoutNotice: Notice = {
  name: 'payouts',
  description: 'The progress of payouts: requested, approved, paid.',
  audience: 'everyone',
};

export const reviewNotice: Notice = {
  name: 'payout_reviews',
  description: 'Payout requests that wait for a review.',
  audience: 'administrators',
};

export function definePayoutMail(
  name: string,
  texts: PayoutMail['texts'],
  options?: Pick<PayoutMail, 'notice' | 'reason' | 'about'>,
): PayoutMail {
  return defineMail(name, texts, PayoutMailData, options);
}
