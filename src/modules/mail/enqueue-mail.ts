import type { Static, TObject } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { ERASED_DOMAIN, isEmailAddress } from '../../shared/email-address.ts';
import type { Language } from '../../shared/languages.ts';
import { siteLanguage } from '../store-profile/index.ts';
import type { MailDefinition, MailTexts } from './mail.ts';
import { encryptLink } from './one-time-link.ts';
import { insertMails, NO_ADDRESS, type NewMail } from './outbox-rows.ts';
import { oneLine, renderMail } from './render-mail.ts';
import { textsOf } from './texts/current-text.ts';
import { findOwnTexts, type OwnText } from './texts/text-rows.ts';
import { unsubscribeUrl } from './unsubscribe-token.ts';

/** `recipientOf` of the users makes one. */
interface MailRecipient {
  readonly address: string;
  readonly name?: string;
  /** Without a language, or with an empty one, the mail is in the language of the site. */
  readonly language?: Language | '';
  /** The names of notices that the recipient has switched off, separated by commas. */
  readonly mutedNotices?: string;
}

interface MailOrder<D extends TObject> {
  to: MailRecipient;
  /** A function if the data are words or amounts, which depend on the language. */
  data: Static<D> | ((language: Language) => Static<D>);
  /**
   * A link that works once, for `{{link}}` in the templates. It is stored encrypted, put into the mail when it is sent,
   * and erased afterwards.
   */
  link?: string;
  /** Unique per event and recipient, such as `registration-accepted:7`: a second mail is not inserted. */
  key: string;
  nowMs: number;
  /**
   * For a mail to many, which needs a `notice`: whom its link unsubscribes, and from which mail, such as
   * `announcement-7`. Such mails are sent after all others, and each at most once.
   */
  toMany?: { readonly userId: number; readonly source: string };
  /** A text that is not the stored one: for a test of it, or written for this occasion. */
  draft?: Pick<MailTexts, 'subject' | 'text'>;
}

/** A mail that is rendered when it is inserted. */
interface PendingMail {
  readonly name: string;
  readonly language: Language;
  readonly render: (own: OwnText | undefined) => NewMail;
}

/**
 * The site's own texts are read in the transaction that inserts the mails, so every instance uses a changed text at
 * once. Inserting locks nothing but the keys of the mails, so reading first does no harm.
 */
class PendingMails implements PendingWrites {
  readonly list: PendingMail[] = [];
  #own: readonly OwnText[] = [];

  async prepare(tx: Transaction): Promise<void> {
    this.#own = await findOwnTexts(tx, [...new Set(this.list.map(({ name }) => name))]);
  }

  async flush(tx: Transaction): Promise<void> {
    await insertMails(
      tx,
      this.list.map(({ name, language, render }) =>
        render(this.#own.find((text) => text.name === name && text.language === language)),
      ),
    );
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
  { to, data, link, key, nowMs, toMany, draft }: MailOrder<D>,
): void {
  if (mail.notice && to.mutedNotices?.split(',').includes(mail.notice.name)) return;
  if (to.address.endsWith(ERASED_DOMAIN)) return;
  // An invalid address must not roll back the change.
  const usable = isEmailAddress(to.address);
  const language = to.language || site.settings.get(siteLanguage);
  const hasLink = link !== undefined;
  const unsubscribe =
    toMany && mail.notice ? unsubscribeUrl(site, { ...toMany, notice: mail.notice.name }) : null;
  const content = {
    language,
    data: typeof data === 'function' ? data(language) : data,
    hasLink,
    unsubscribe,
  };
  tx.pending(mails).list.push({
    name: mail.name,
    language,
    render: (own) => ({
      template: mail.name,
      to_address: to.address,
      to_name: oneLine(to.name ?? ''),
      ...renderMail(site, mail, textsOf(site, mail, language, draft ?? own), content),
      key,
      state: usable ? 'pending' : 'failed',
      last_error: usable ? '' : NO_ADDRESS,
      next_attempt_at: nowMs,
      created_at: nowMs,
      link: hasLink ? (usable ? encryptLink(site, key, link) : '') : null,
      unsubscribe,
    }),
  });
}
