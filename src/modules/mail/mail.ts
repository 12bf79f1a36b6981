import type { TObject } from 'typebox';
import { Point } from '../../kernel/declare/point.ts';

/** Mustache templates: `{{coupon_code}}`, or `{{#message}}…{{/message}}` for a value that may be empty. */
export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  /** Default: the paragraphs of the text. */
  readonly html?: string;
}

/** A mail that a module sends: its built-in templates, and the data they may use. */
export interface MailDefinition<D extends TObject = TObject> {
  readonly name: string;
  readonly texts: MailTexts;
  readonly data: D;
}

/**
 * Declares a mail. Its data must not contain secrets or payout details: mails are stored for 30 days
 * and may travel unencrypted.
 */
export function defineMail<D extends TObject>(
  name: string,
  texts: MailTexts,
  data: D,
): MailDefinition<D> {
  return { name, texts, data };
}

/** Modules list their mails here, so that a site's own templates can be checked at the start. */
export const mails = new Point<MailDefinition<any>>('mails');
