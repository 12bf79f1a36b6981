import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  defineMail,
  inEveryLanguage,
  enqueueMail,
  type MailDefinition,
  type Notice,
} from '../../modules/mail/index.ts';
import { recipientOf } from '../../modules/users/index.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { statusLabels } from './payout-status.ts';
import type { PayoutRow } from './payout-store.ts';

const PayoutMailData = Type.Object({
  payout_id: Type.String(),
  name: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  coupon_code: Type.String(),
  method: Type.String(),
  state: Type.String({ description: 'The status in words.' }),
  reference: Type.String(),
  reason: Type.String(),
});

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

export type PayoutMail = MailDefinition<typeof PayoutMailData>;

const payoutMail = (name: string, subject: string, text: string, notice?: Notice): PayoutMail =>
  defineMail(name, inEveryLanguage({ subject, text }), PayoutMailData, notice && { notice });

export const requestedMail = payoutMail(
  'payout-requested',
  'We received your payout request for {{amount}} {{currency}}',
  `Hello {{name}},

We received your request for a payout of {{amount}} {{currency}} for the coupon {{coupon_code}}. We'll let you know once it has been paid.

Status: {{state}}`,
  payoutNotice,
);

/** For the administrators, when a request needs their review. */
export const toReviewMail = payoutMail(
  'payout-to-review',
  'Payout request to review: {{amount}} {{currency}}',
  `{{name}} requested a payout of {{amount}} {{currency}} for the coupon {{coupon_code}}{{#method}} by {{method}}{{/method}}. Please review it.`,
  reviewNotice,
);

/** For the administrators, when it stays unknown whether the gateway has paid. */
export const unclearMail = payoutMail(
  'payout-unclear',
  'Payout {{payout_id}} of {{amount}} {{currency}} needs your decision',
  `We don't know whether payout {{payout_id}} of {{amount}} {{currency}} to {{name}} (coupon {{coupon_code}}) has been paid. {{method}} has not given a clear answer.

{{#reason}}Last answer: {{reason}}

{{/reason}}The amount stays reserved and is not paid a second time. We check with {{method}} again every hour.

Please look up the payment at {{method}}. If you find out what happened, resolve the payout: POST /svc/store/v1/payouts/{{payout_id}}/resolve with the outcome paid, created or failed.`,
);

/** For the administrators, when the gateway does not pay for a reason on the store's side. */
export const gatewayProblemMail = defineMail(
  'payout-gateway-problem',
  inEveryLanguage({
    subject: '{{gateway}} cannot pay your affiliates',
    text: `{{gateway}} did not pay payout {{payout_id}} of {{amount}} {{currency}} to {{name}}.

Reason: {{reason}}
What to do: {{remedy}}

{{#failed}}The payout has failed, and you owe the affiliate the amount again.{{/failed}}{{^failed}}Payouts by {{gateway}} are on hold. We retry them at least once an hour, and nothing is paid twice.{{/failed}} Affiliates don't see this reason. We send this mail at most once an hour for as long as the problem lasts.`,
  }),
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

export const createdMail = payoutMail(
  'payout-created',
  'Your payout of {{amount}} {{currency}} was approved',
  `Hello {{name}},

Your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} was approved and is on its way. We'll let you know once it has been paid.`,
  payoutNotice,
);

export const paidMail = payoutMail(
  'payout-paid',
  'Your payout of {{amount}} {{currency}} was paid',
  `Hello {{name}},

We paid you {{amount}} {{currency}} for the coupon {{coupon_code}}{{#method}} by {{method}}{{/method}}.{{#reference}}

Reference: {{reference}}{{/reference}}`,
  payoutNotice,
);

export const reversedMail = payoutMail(
  'payout-reversed',
  'Your payout of {{amount}} {{currency}} has not been paid yet',
  `Hello {{name}},

Your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} was marked as paid, but it has not been paid yet. We reopened it. We'll let you know once it has been paid.

Status: {{state}}`,
);

export const reopenedMail = payoutMail(
  'payout-reopened',
  'Your payout of {{amount}} {{currency}} was reopened',
  `Hello {{name}},

We reopened your payout of {{amount}} {{currency}} for the coupon {{coupon_code}}. We'll let you know once it has been paid.

Status: {{state}}`,
  payoutNotice,
);

export const cancelledMail = payoutMail(
  'payout-cancelled',
  'Your payout of {{amount}} {{currency}} was cancelled',
  `Hello {{name}},

Your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} was cancelled. The amount is available to you again.`,
);

export const failedMail = payoutMail(
  'payout-failed',
  'Your payout of {{amount}} {{currency}} could not be paid',
  `Hello {{name}},

Your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} could not be paid. The amount is available to you again.

{{reason}}`,
);

export const detailsChangedMail = defineMail(
  'payout-details-changed',
  inEveryLanguage({
    subject: 'Your payout details were changed',
    text: `Hello {{name}},

Your payout details were changed. From now on we pay you by {{method}}.

If you did not make or request this change, please contact us immediately.`,
  }),
  Type.Object({ name: Type.String(), method: Type.String() }),
);

export const detailsRevealedMail = defineMail(
  'payout-details-revealed',
  inEveryLanguage({
    subject: 'Your payout details were viewed',
    text: `Hello {{name}},

A manager of our affiliate program viewed the full details of the account we pay you to. This happens when a payout is paid by hand. You don't need to do anything.`,
  }),
  Type.Object({ name: Type.String() }),
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

type Recipient = Parameters<typeof recipientOf>[0] & { readonly id: number };

interface PayoutMailOptions {
  readonly reason?: string | undefined;
  readonly nowMs: number;
}

/** Adds a mail about a payout for each recipient. */
export function enqueuePayoutMail(
  tx: Transaction,
  site: Site,
  mail: PayoutMail,
  payout: PayoutRow,
  recipients: readonly Recipient[],
  { reason = '', nowMs }: PayoutMailOptions,
): void {
  const { currency } = site;
  // A payout may be paid, reversed and paid again, and each change sends its mail: the key is never the same.
  const occasion = randomBase62(12);
  for (const recipient of recipients) {
    enqueueMail(tx, site, mail, {
      to: recipientOf(recipient),
      data: {
        payout_id: String(payout.id),
        name: payout.display_name,
        amount: currency.toMajor(payout.amount).toFixed(currency.decimals),
        currency: currency.code,
        coupon_code: payout.coupon_code,
        method: payout.method,
        state: statusLabels[payout.status],
        reference: payout.transaction_id,
        reason,
      },
      key: `${mail.name}:${payout.id}:${recipient.id}:${occasion}`,
      nowMs,
    });
  }
}
