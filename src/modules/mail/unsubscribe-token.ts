import type { Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { sameSecret } from '../../shared/secrets.ts';

/** What the link of a mail to many ends: the mails of one notice to one person. */
export interface Unsubscription {
  readonly userId: number;
  /** The name of the notice. */
  readonly notice: string;
  /** The mail with the link, such as `announcement-7`. */
  readonly source: string;
}

/** Modules that count who unsubscribes, in the transaction that switches the notice off. */
export const unsubscriptions = new Point<
  (tx: Transaction, site: Site, unsubscription: Unsubscription) => Promise<void>
>('unsubscriptions');

const TOKEN = /^([1-9]\d{0,15})\.([\w-]{1,40})\.([\w-]{1,60})\./;

/**
 * Nothing is stored, and it works for as long as the mail is kept: it ends mails and can do nothing else. A page of the
 * site, but served while its pages are switched off as well.
 */
export function unsubscribeUrl(site: Site, unsubscription: Unsubscription): string {
  return `${site.publicUrl}/unsubscribe/${tokenOf(site, unsubscription)}`;
}

/** Undefined if the token is not one of ours. */
export function readUnsubscribeToken(site: Site, token: string): Unsubscription | undefined {
  const [, id, notice, source] = TOKEN.exec(token) ?? [];
  if (id === undefined || notice === undefined || source === undefined) return undefined;
  const found = { userId: Number(id), notice, source };
  return sameSecret(token, tokenOf(site, found)) ? found : undefined;
}

function tokenOf({ keyring }: Site, { userId, notice, source }: Unsubscription): string {
  const content = `${userId}.${notice}.${source}`;
  return `${content}.${keyring.hash('unsubscribe', content)}`;
}
