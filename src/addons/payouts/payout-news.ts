import type { Transaction } from '../../db/database.ts';
import type { EventDefinition } from '../../kernel/declare/event.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../../modules/events/index.ts';
import { enqueueMail } from '../../modules/mail/index.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { failureReason } from './payment/failure-reason.ts';
import type { payoutRequested } from './payout-events.ts';
import { mailOf, toReviewMail, unclearMail, type PayoutMail } from './payout-mails.ts';
import type { PayoutRow } from './payout-store.ts';
import { statusWords, type PayoutStatus } from './transitions.ts';

interface Told {
  readonly from: string | null;
  readonly actorId: number;
  readonly nowMs: number;
  readonly note?: string;
}

interface Recipient {
  readonly id: number;
  readonly email: string;
}

/** Emits the events of payouts and sends their mails, with the transaction. */
export class PayoutNews {
  readonly #tx: Transaction;
  readonly #site: Site;
  /** A payout may be paid, taken back and paid again: each time is told. */
  readonly #occasion = randomBase62(12);

  constructor(tx: Transaction, site: Site) {
    this.#tx = tx;
    this.#site = site;
  }

  /** Tells the feed and the affiliate. */
  tell(payout: PayoutRow, event: EventDefinition, told: Told): void {
    const { from, actorId, nowMs, note } = told;
    const { currency, calendar } = this.#site;
    const amount = currency.toMajor(payout.amount);
    emit(this.#tx, event as typeof payoutRequested, {
      objectId: payout.id,
      userId: actorId,
      info: `Payout ${payout.id} of ${amount} ${currency.code} for coupon ${payout.coupon_id}: ${wordsOf(payout)}${note ? ` (${note})` : ''}.`,
      data: {
        payout_id: payout.id,
        user_id: payout.user_id,
        coupon_id: payout.coupon_id,
        amount,
        currency: currency.code,
        method_type: payout.method_type,
        status: payout.status,
        from,
        date: calendar.toLocal(payout.requested_at),
        date_paid: calendar.toLocal(payout.paid_at),
        transaction_id: payout.transaction_id,
      },
      nowMs,
    });
    const mail = mailOf.get(event);
    if (!mail) return;
    const reason = failureReason(payout, 'affiliate')?.message;
    this.#send(mail, payout, { id: payout.user_id, email: payout.email }, nowMs, reason);
  }

  askForReview(payout: PayoutRow, administrators: readonly Recipient[], nowMs: number): void {
    for (const one of administrators) this.#send(toReviewMail, payout, one, nowMs);
  }

  askForDecision(payout: PayoutRow, administrators: readonly Recipient[], nowMs: number): void {
    const reason = payout.unclear_reason ?? '';
    for (const one of administrators) this.#send(unclearMail, payout, one, nowMs, reason);
  }

  #send(mail: PayoutMail, payout: PayoutRow, to: Recipient, nowMs: number, reason = ''): void {
    const { currency } = this.#site;
    enqueueMail(this.#tx, this.#site, mail, {
      to: { address: to.email },
      data: {
        payout_id: String(payout.id),
        name: payout.display_name,
        amount: currency.toMajor(payout.amount).toFixed(currency.decimals),
        currency: currency.code,
        coupon_code: payout.coupon_code,
        method: payout.method,
        state: wordsOf(payout),
        reference: payout.transaction_id,
        reason,
      },
      key: `${mail.name}:${payout.id}:${to.id}:${this.#occasion}`,
      nowMs,
    });
  }
}

function wordsOf({ status }: PayoutRow): string {
  return statusWords[status as PayoutStatus];
}
