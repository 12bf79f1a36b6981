import Type from 'typebox';
import type { EventDefinition } from '../../kernel/declare/event.ts';
import { defineMail, type MailDefinition } from '../../modules/mail/index.ts';
import {
  payoutCancelled,
  payoutCreated,
  payoutFailed,
  payoutPaid,
  payoutReopened,
  payoutRequested,
  payoutReversed,
} from './payout-events.ts';

const PayoutMailData = Type.Object({
  payout_id: Type.String(),
  name: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  coupon_code: Type.String(),
  method: Type.String(),
  state: Type.String({ description: 'The status as people read it.' }),
  reference: Type.String(),
  reason: Type.String(),
});

export type PayoutMail = MailDefinition<typeof PayoutMailData>;

const payoutMail = (name: string, subject: string, text: string): PayoutMail =>
  defineMail(name, { subject, text }, PayoutMailData);

const requestedMail = payoutMail(
  'payout-requested',
  'Your payout of {{amount}} {{currency}} is requested',
  `Hello {{name}},

we have received your request for a payout of {{amount}} {{currency}} for the coupon {{coupon_code}}. We'll let you know once it has been paid.

Status: {{state}}`,
);

/** Sent to the administrators when a request waits for their review. */
export const toReviewMail = payoutMail(
  'payout-to-review',
  'A payout of {{amount}} {{currency}} waits for your review',
  `{{name}} requests {{amount}} {{currency}} for the coupon {{coupon_code}}{{#method}} by {{method}}{{/method}}.`,
);

/** Sent to the administrators when the gateway cannot tell whether it has paid. */
export const unclearMail = payoutMail(
  'payout-unclear',
  'Payout {{payout_id}} of {{amount}} {{currency}} needs your decision',
  `Payout {{payout_id}} of {{amount}} {{currency}} to {{name}} (coupon {{coupon_code}}) by {{method}} may have been paid or not: the gateway has given no clear answer.

{{#reason}}Last answer: {{reason}}

{{/reason}}The amount stays set aside and is not paid again by itself. The gateway is asked again every hour. Please look the payment up at the gateway. If you find out what became of it, resolve the payout: POST /svc/store/v1/payouts/{{payout_id}}/resolve with the outcome paid, created or failed.`,
);

/** Sent to the administrators when the gateway does not pay for a reason on the store's side. */
export const gatewayProblemMail = defineMail(
  'payout-gateway-problem',
  {
    subject: '{{gateway}} does not pay your affiliates',
    text: `{{gateway}} did not pay payout {{payout_id}} of {{amount}} {{currency}} to {{name}}.

Reason: {{reason}}
What to do: {{remedy}}

{{#failed}}The payout has failed: the amount is owed to the affiliate again.{{/failed}}{{^failed}}Payouts by {{gateway}} wait and are attempted again, at least once an hour. Nothing is paid twice.{{/failed}} Affiliates are not shown this reason. You get this mail about once an hour while it lasts.`,
  },
  Type.Object({
    gateway: Type.String(),
    payout_id: Type.String(),
    amount: Type.String(),
    currency: Type.String(),
    name: Type.String(),
    reason: Type.String(),
    remedy: Type.String(),
    failed: Type.String({ description: 'Empty while the payout is open.' }),
  }),
);

const createdMail = payoutMail(
  'payout-created',
  'Your payout of {{amount}} {{currency}} is approved',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} is approved and being paid. We'll let you know once it has been paid.`,
);

const paidMail = payoutMail(
  'payout-paid',
  'Your payout of {{amount}} {{currency}} is paid',
  `Hello {{name}},

we have paid you {{amount}} {{currency}} for the coupon {{coupon_code}}{{#method}} by {{method}}{{/method}}.{{#reference}}

Reference: {{reference}}{{/reference}}`,
);

const reversedMail = payoutMail(
  'payout-reversed',
  'Your payout of {{amount}} {{currency}} is not paid yet',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} was marked as paid, but has not been paid. It is open again. We'll let you know once it has been paid.

Status: {{state}}`,
);

const reopenedMail = payoutMail(
  'payout-reopened',
  'Your payout of {{amount}} {{currency}} is open again',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} is open again. We'll let you know once it has been paid.

Status: {{state}}`,
);

const cancelledMail = payoutMail(
  'payout-cancelled',
  'Your payout of {{amount}} {{currency}} was cancelled',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} was cancelled. The amount is available to you again.`,
);

const failedMail = payoutMail(
  'payout-failed',
  'Your payout of {{amount}} {{currency}} could not be paid',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} could not be paid. The amount is available to you again.

{{reason}}`,
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

export const detailsRevealedMail = defineMail(
  'payout-details-revealed',
  {
    subject: 'Your payout details were viewed',
    text: `Hello {{name}},

someone who manages our affiliate program has viewed the account you are paid to, in full. This happens when a payout is made by hand. You don't need to do anything.`,
  },
  Type.Object({ name: Type.String() }),
);

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

/** The mail to the affiliate with each change. */
export const mailOf: ReadonlyMap<EventDefinition, PayoutMail> = new Map([
  [payoutRequested, requestedMail],
  [payoutCreated, createdMail],
  [payoutPaid, paidMail],
  [payoutReversed, reversedMail],
  [payoutReopened, reopenedMail],
  [payoutCancelled, cancelledMail],
  [payoutFailed, failedMail],
]);
