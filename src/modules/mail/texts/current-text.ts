import type { Site } from '../../../kernel/declare/site.ts';
import type { Language } from '../../../shared/languages.ts';
import type { MailDefinition, MailTexts } from '../mail.ts';
import { ownTextsOf } from '../own-texts.ts';

/**
 * The texts of a mail: the site's own ones in the database, else files of `TRIBUTARY_MAIL_TEMPLATES`, else the built-in
 * ones. The button keeps its built-in label.
 */
export function textsOf(
  site: Site,
  mail: MailDefinition,
  language: Language,
  own: Pick<MailTexts, 'subject' | 'text'> | undefined,
): MailTexts {
  const other = ownTextsOf(site).of(mail, language);
  if (!own) return other;
  const { subject, text } = own;
  return { subject, text, ...(other.action !== undefined && { action: other.action }) };
}
