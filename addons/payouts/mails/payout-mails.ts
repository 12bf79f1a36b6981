import Type from 'typebox';
import {
  defineMail,
  type MailDefinition,
  type MailName,
  type Notice,
} from '../../../src/modules/mail/index.ts';
import '../texts.ts';

const PayoutMailData = Type.Object({
  payout_id: Type.String(),
  name: Type.String({ description: 'The name of the affiliate.' }),
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
const payoutNotice: Notice = {
  name: 'payouts',
  description: 'The progress of payouts: requested, approved, paid.',
  audience: 'everyone',
};

const reviewNotice: Notice = {
  name: 'payout_reviews',
  description: 'Payout requests that wait for a review.',
  audience: 'administrators',
};

function definePayoutMail(
  name: MailName,
  options: Pick<PayoutMail, 'notice' | 'reason' | 'about'>,
): PayoutMail {
  return defineMail(name, PayoutMailData, options);
}

export const requestedMail = definePayoutMail('payout-requested', {
  notice: payoutNotice,
  about: 'To the affiliate when a payout was requested.',
});

/** For the administrators, when a request needs their review. */
export const toReviewMail = definePayoutMail('payout-to-review', {
  notice: reviewNotice,
  reason: 'team',
  about: 'To administrators when a payout waits for a review.',
});

/** For the administrators, when it stays unknown whether the gateway has paid. */
export const unclearMail = definePayoutMail('payout-unclear', {
  reason: 'team',
  about: 'To administrators when a gateway does not say whether it has paid.',
});

/** For the administrators, when the gateway does not pay for a reason on the store's side. */
export const gatewayProblemMail = defineMail(
  'payout-gateway-problem',
  Type.Object({
    gateway: Type.String(),
    payout_id: Type.String(),
    money: Type.String({ description: 'The amount with its currency.' }),
    amount: Type.String(),
    currency: Type.String(),
    name: Type.String({ description: 'The name of the affiliate.' }),
    reason: Type.String(),
    remedy: Type.String(),
    failed: Type.String({ description: 'Empty while the payout is open.' }),
  }),
  { reason: 'team', about: 'To administrators when a gateway refuses a payout.' },
);

export const createdMail = definePayoutMail('payout-created', {
  notice: payoutNotice,
  about: 'To the affiliate when a payout is approved.',
});

export const paidMail = definePayoutMail('payout-paid', {
  notice: payoutNotice,
  about: 'To the affiliate when a payout is paid.',
});

export const reversedMail = definePayoutMail('payout-reversed', {
  about: 'To the affiliate when a paid payout was reversed.',
});

export const reopenedMail = definePayoutMail('payout-reopened', {
  notice: payoutNotice,
  about: 'To the affiliate when a cancelled payout is opened again.',
});

export const cancelledMail = definePayoutMail('payout-cancelled', {
  about: 'To the affiliate when a payout was cancelled.',
});

export const failedMail = definePayoutMail('payout-failed', {
  about: 'To the affiliate when a payout failed.',
});

export const detailsChangedMail = defineMail(
  'payout-details-changed',
  Type.Object({ name: Type.String(), method: Type.String() }),
  { about: 'To the affiliate when the payout details were changed.' },
);

export const detailsRevealedMail = defineMail(
  'payout-details-revealed',
  Type.Object({ name: Type.String() }),
  { about: 'To the affiliate when an administrator has looked at the payout details.' },
);

export const payoutNotices = [payoutNotice, reviewNotice];

export const payoutMails = [
  requestedMail,
  toReviewMail,
  unclearMail,
  gatewayProblemMail,
  createdMail,
  paidMail,
  reversedMail,
  reopenedMail,
  cancelledMail,
  failedMail,
  detailsChangedMail,
  detailsRevealedMail,
];
