import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { enqueueMail, formatMoney } from '../../../src/modules/mail/index.ts';
import { recipientOf } from '../../../src/modules/users/index.ts';
import type { Language } from '../../../src/shared/languages.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import { findText, textIn } from '../../../src/shared/texts.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';
import type { PayoutMail } from './payout-mails.ts';
import '../texts.ts';

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
        state: textIn(language, `server.payout.status.${payout.status}`),
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

/** The name of a payout method in a language; `label` is the English one. Brands have no translation. */
export function methodName(language: Language, type: string, label: string): string {
  // The gateway of an extension may have its own label for a method of the same type.
  const key = `server.payout.method.${type}`;
  return findText('en', key) === label ? (findText(language, key) ?? label) : label;
}

export function methodOf(payout: PayoutRow, language: Language): string {
  return methodName(language, payout.method_type, payout.method);
}
