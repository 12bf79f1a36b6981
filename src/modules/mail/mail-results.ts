import type { Transaction } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** What became of a mail to many. */
export interface MailResult {
  readonly key: string;
  readonly state: 'sent' | 'failed' | 'unknown';
  /** Why it failed: the reply of the mail server; otherwise empty. */
  readonly error: string;
  readonly nowMs: number;
}

/** Modules that send mails to many, and keep what became of each in the transaction that records it. */
export const mailResults = new Point<
  (tx: Transaction, site: Site, result: MailResult) => Promise<void>
>('mail results');

export async function reportResult(tx: Transaction, site: Site, result: MailResult): Promise<void> {
  for (const report of site.registry.contributions(mailResults)) await report(tx, site, result);
}
