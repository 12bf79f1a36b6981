import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { enqueueMail, formatMoney } from '../../modules/mail/index.ts';
import { recipientOf } from '../../modules/users/index.ts';
import type { Language } from '../../shared/languages.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { cancelledMail } from './mails/cancelled.ts';
import { createdMail } from './mails/created.ts';
import { detailsChangedMail } from './mails/details-changed.ts';
import { detailsRevealedMail } from './mails/details-revealed.ts';
import { failedMail } from './mails/failed.ts';
import { gatewayProblemMail } from './mails/gateway-problem.ts';
import { paidMail } from './mails/paid.ts';
import { payoutNotice, reviewNotice, type PayoutMail } from './mails/payout-mail.ts';
import { methodOf, statusWords } from './mails/payout-words.ts';
import { reopenedMail } from './mails/reopened.ts';
import { requestedMail } from './mails/requested.ts';
import { reversedMail } from './mails/reversed.ts';
import { toReviewMail } from './mails/to-review.ts';
import { unclearMail } from './mails/unclear.ts';
import type { PayoutRow } from './payout-store.ts';

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
  /** Why a payout failed, in the language of the recipient. */
  readonly reason?: (language: Language) => string;
  readonly nowMs: number;
  /** Mails about the same change share it; random by default. */
  readonly occasion?: string;
}

/** A payout may be paid, reversed and paid again, and each change sends its mail: the key is never the same. */
export function payoutMailKey(
  mail: string,
  payoutId: number,
  recipientId: number,
  occasion: string,
): string {
  return `${mail}:${payoutId}:${recipientId}:${occasion}`;
}

/** Adds a mail about a payout for each recipient. */
export function enqueuePayoutMail(
  tx: Transaction,
  site: Site,
  mail: PayoutMail,
  payout: PayoutRow,
  recipients: readonly Recipient[],
  { reason, nowMs, occasion = randomBase62(12) }: PayoutMailOptions,
): void {
  for (const recipient of recipients) {
    enqueueMail(tx, site, mail, {
      to: recipientOf(recipient),
      data: (language) => ({
        payout_id: String(payout.id),
        name: payout.display_name,
        ...amountFor(site, language, payout),
        coupon_code: payout.coupon_code,
        method: methodOf(payout, language),
        state: statusWords[payout.status][language],
        reference: payout.transaction_id,
        reason: reason?.(language) ?? '',
      }),
      key: payoutMailKey(mail.name, payout.id, recipient.id, occasion),
      nowMs,
    });
  }
}

/** The amount as people write it, and its parts for a site's own templates. */
export function amountFor(site: Site, language: Language, { amount }: PayoutRow) {
  const { currency } = site;
  return {
    money: formatMoney(site, language, amount),
    amount: currency.toMajor(amount).toFixed(currency.decimals),
    currency: currency.code,
  };
}
