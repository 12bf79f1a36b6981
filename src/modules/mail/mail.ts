import type { TObject } from 'typebox';
import { Point } from '../../kernel/declare/point.ts';

/** Mustache: `{{coupon_code}}`, and `{{#message}}…{{/message}}` for what may be empty. */
export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  /** Without it, the paragraphs of the text. */
  readonly html?: string;
}

/** A mail that a module sends: its own texts, and the names they may use. */
export interface MailDefinition<D extends TObject = TObject> {
  readonly name: string;
  readonly texts: MailTexts;
  readonly data: D;
}

/**
 * Declares a mail. The data never holds secrets or payout details: mails are kept, and travel in
 * the clear.
 */
export function defineMail<D extends TObject>(
  name: string,
  texts: MailTexts,
  data: D,
): MailDefinition<D> {
  return { name, texts, data };
}

/** Where modules tell which mails they send, so that a site's own texts can be checked at start. */
export const mails = new Point<MailDefinition<any>>('mails');
