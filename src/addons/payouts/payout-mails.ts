import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { EventDefinition } from '../../kernel/event.ts';
import type { Site } from '../../kernel/site.ts';
import { defineMail, enqueueMail, type MailDefinition } from '../../modules/mail/index.ts';
import { listAdministrators } from '../../modules/users/index.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { payoutCancelled, payoutFailed, payoutPaid, payoutRequested } from './payout-events.ts';
import type { PayoutRow } from './payout-store.ts';

const PayoutMailData = Type.Object({
  name: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  coupon_code: Type.String(),
  method: Type.String(),
  reason: Type.String(),
});

type PayoutMail = MailDefinition<typeof PayoutMailData>;

const payoutMail = (name: string, subject: string, text: string): PayoutMail =>
  defineMail(name, { subject, text }, PayoutMailData);

const requestedMail = payoutMail(
  'payout-requested',
  'Your payout of {{amount}} {{currency}} is requested',
  `Hello {{name}},

your payout of {{amount}} {{currency}} for the coupon {{coupon_code}} is requested. It is reviewed, and you hear from us when it is paid.`,
);

const toReviewMail = payoutMail(
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
const mailOf = new Map<EventDefinition, PayoutMail>([
  [payoutRequested, requestedMail],
  [payoutPaid, paidMail],
  [payoutCancelled, cancelledMail],
  [payoutFailed, failedMail],
]);

export async function mailAffiliate(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  event: EventDefinition,
  { nowMs, reason = '' }: { nowMs: number; reason?: string },
): Promise<void> {
  const mail = mailOf.get(event);
  if (!mail) return;
  await send(tx, site, payout, mail, { address: payout.email, reason, nowMs });
}

/** Those who decide hear of a request that waits for them. */
export async function mailAdministrators(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  nowMs: number,
): Promise<void> {
  for (const { email } of await listAdministrators(tx)) {
    await send(tx, site, payout, toReviewMail, { address: email, reason: '', nowMs });
  }
}

async function send(
  tx: Transaction,
  site: Site,
  payout: PayoutRow,
  mail: PayoutMail,
  { address, reason, nowMs }: { address: string; reason: string; nowMs: number },
): Promise<void> {
  await enqueueMail(tx, site, mail, {
    to: { address },
    data: {
      name: payout.display_name,
      amount: site.currency.toMajor(payout.amount).toFixed(site.currency.decimals),
      currency: site.currency.code,
      coupon_code: payout.coupon_code,
      method: payout.method,
      reason,
    },
    // A payout may be paid, taken back and paid again: each time is told.
    key: `${mail.name}:${payout.id}:${randomBase62(12)}`,
    nowMs,
  });
}
