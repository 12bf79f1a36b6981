import type { Site } from '../../kernel/declare/site.ts';
import { escapeHtml } from '../../shared/html.ts';
import type { SecretLocation } from '../../shared/secrets.ts';
import type { OutboxRow } from './outbox-rows.ts';

/**
 * Stands for the one-time link in stored mails: a reader of the outbox must not be able to use the link.
 * It is an address, so that the HTML of a preview is valid, and it leads nowhere.
 */
export const LINK_PLACEHOLDER = 'https://one-time-link.invalid/';

/** Thrown when the link of a mail cannot be decrypted or is erased. */
export class LinkLostError extends Error {
  override name = 'LinkLostError';
}

export function encryptLink({ keyring }: Site, key: string, link: string): string {
  return keyring.encrypt(placeOf(key), link);
}

/** The texts as they are sent, with the link in place of the placeholder. */
export function textsToSend(site: Site, mail: OutboxRow): Pick<OutboxRow, 'text' | 'html'> {
  if (mail.link === null) return { text: mail.text, html: mail.html };
  const link = decryptLink(site, mail);
  return {
    text: mail.text.replaceAll(LINK_PLACEHOLDER, () => link),
    html: mail.html.replaceAll(LINK_PLACEHOLDER, () => escapeHtml(link)),
  };
}

/** The reply of a mail server may quote the mail; it is stored without the link. */
export function withoutLink(site: Site, mail: OutboxRow, reply: string): string {
  if (!mail.link) return reply;
  try {
    return reply.replaceAll(decryptLink(site, mail), LINK_PLACEHOLDER);
  } catch {
    return reply;
  }
}

function decryptLink({ keyring }: Site, { key, link }: OutboxRow): string {
  try {
    return keyring.decrypt(placeOf(key), link ?? '');
  } catch {
    throw new LinkLostError('The one-time link of this email cannot be read.');
  }
}

/** The key identifies the row: its id is not known before the insert. */
function placeOf(key: string): SecretLocation {
  return { table: 'outbox', column: 'link', row: key };
}
