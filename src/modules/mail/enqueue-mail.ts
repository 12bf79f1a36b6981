import type { Static, TObject } from 'typebox';
import type { Transaction } from '../../db/database.ts';
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

/** Mails of one transaction, gathered to be written together. */
export class GatheredMails {
  readonly #site: Site;
  readonly #mails: NewMail[] = [];

  constructor(site: Site) {
    this.#site = site;
  }

  enqueue<D extends TObject>(
    mail: MailDefinition<D>,
    { to, data, key, nowMs }: MailOrder<D>,
  ): void {
    // An invalid address must not roll back the change.
    const usable = isEmailAddress(to.address);
    this.#mails.push({
      template: mail.name,
      to_address: to.address,
      to_name: oneLine(to.name ?? ''),
      ...renderMail(this.#site, ownTextsOf(this.#site).of(mail), data),
      key,
      state: usable ? 'pending' : 'failed',
      last_error: usable ? '' : NO_ADDRESS,
      next_attempt_at: nowMs,
      created_at: nowMs,
    });
  }

  /** Call this once, before the transaction ends. */
  write(tx: Transaction): Promise<void> {
    return insertMails(tx, this.#mails);
  }
}

/**
 * Inserts a mail into the outbox, in the transaction of the change it reports: both are committed,
 * or neither. A job sends it within seconds.
 */
export async function enqueueMail<D extends TObject>(
  tx: Transaction,
  site: Site,
  mail: MailDefinition<D>,
  order: MailOrder<D>,
): Promise<void> {
  const mails = new GatheredMails(site);
  mails.enqueue(mail, order);
  await mails.write(tx);
}
