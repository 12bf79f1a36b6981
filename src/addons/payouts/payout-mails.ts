import Type from 'typebox';
import type { EventDefinition } from '../../kernel/event.ts';
import { defineMail, type MailDefinition } from '../../modules/mail/index.ts';
import { payoutCancelled, payoutFailed, payoutPaid, payoutRequested } from './payout-events.ts';

const PayoutMailData = Type.Object({
  name: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  coupon_code: Type.String(),
  method: Type.String(),
  reason: Type.String(),
});

export type PayoutMail = MailDefinition<typeof PayoutMailData>;

const payoutMail = (name: string, subject: string, text: string): PayoutMail =>
  defineMail(name, { subject, text }, PayoutMailData);

const requestedMail = payoutMail(
  'payout-requested',
  'Your payout of {{amount}} {{currency}} is requested',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} is requested. It is reviewed, and you hear from us when it is paid.`,
);

/** Those who decide hear of a request that waits for them. */
export const toReviewMail = payoutMail(
  'payout-to-review',
  'A payout of {{amount}} {{currency}} is to be reviewed',
  `{{name}} asks for {{amount}} {{currency}} for the coupon {{coupon_code}}{{#method}} by {{method}}{{/method}}.`,
);

const paidMail = payoutMail(
  'payout-paid',
  'Your payout of {{amount}} {{currency}} is paid',
  `Hello {{name}},

we have paid you {{amount}} {{currency}} for the coupon {{coupon_code}}{{#method}} by {{method}}{{/method}}.`,
);

const cancelledMail = payoutMail(
  'payout-cancelled',
  'Your payout of {{amount}} {{currency}} was cancelled',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} was cancelled. The amount is in your unpaid balance again.`,
);

const failedMail = payoutMail(
  'payout-failed',
  'Your payout of {{amount}} {{currency}} could not be paid',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} could not be paid{{#reason}}: {{reason}}{{/reason}}

The amount is in your unpaid balance again. Please check your payout details.`,
);

export const detailsChangedMail = defineMail(
  'payout-details-changed',
  {
    subject: 'Your payout details were changed',
    text: `Hello {{name}},

your payout details were changed: from now on you are paid by {{method}}.

If this was not you, or nobody you asked, tell us at once.`,
  },
  Type.Object({ name: Type.String(), method: Type.String() }),
);

export const payoutMails = [
  requestedMail,
  toReviewMail,
  paidMail,
  cancelledMail,
  failedMail,
  detailsChangedMail,
];

/** Which changes the affiliate hears of. */
export const mailOf: ReadonlyMap<EventDefinition, PayoutMail> = new Map([
  [payoutRequested, requestedMail],
  [payoutPaid, paidMail],
  [payoutCancelled, cancelledMail],
  [payoutFailed, failedMail],
]);
