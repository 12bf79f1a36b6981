import type { Static, TObject } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { isEmailAddress } from '../../shared/email-address.ts';
import type { MailDefinition } from './mail.ts';
import { insertMails, NO_ADDRESS, type NewMail } from './outbox-store.ts';
import { ownTextsOf } from './own-texts.ts';
import { oneLine, renderMail } from './render-mail.ts';

export interface MailOrder<D extends TObject> {
  to: { address: string; name?: string };
  data: Static<D>;
  /** Unique per event and recipient, such as `registration-accepted:7`: a second mail is not inserted. */
  key: string;
  nowMs: number;
}

class PendingMails implements PendingWrites {
  readonly list: NewMail[] = [];

  flush(tx: Transaction): Promise<void> {
    return insertMails(tx, this.list);
  }
}

const mails = defineWrites({ name: 'mails', create: () => new PendingMails() });

/**
 * Adds a mail to the outbox with the transaction that makes the change: both are committed, or neither. A job
 * sends it within seconds.
 */
export function enqueueMail<D extends TObject>(
  tx: Transaction,
  site: Site,
  mail: MailDefinition<D>,
  { to, data, key, nowMs }: MailOrder<D>,
): void {
  // An invalid address must not roll back the change.
  const usable = isEmailAddress(to.address);
  tx.pending(mails).list.push({
    template: mail.name,
    to_address: to.address,
    to_name: oneLine(to.name ?? ''),
    ...renderMail(site, ownTextsOf(site).of(mail), data),
    key,
    state: usable ? 'pending' : 'failed',
    last_error: usable ? '' : NO_ADDRESS,
    next_attempt_at: nowMs,
    created_at: nowMs,
  });
}
