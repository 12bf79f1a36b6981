import type { Site } from '../../../kernel/declare/site.ts';
import type { Language } from '../../../shared/languages.ts';
import type { MailDefinition, MailTexts } from '../mail.ts';
import { ownTextsOf } from '../own-texts.ts';
import { errorOfStored } from './check-text.ts';

/**
 * The texts of a mail: the site's own ones in the database, else files of `TRIBUTARY_MAIL_TEMPLATES`, else the built-in
 * ones. The button keeps its built-in label. A stored text that breaks a rule, because it is older than the rule, is
 * not used.
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
  const reason = errorOfStored(mail, own);
  if (reason !== undefined) {
    site.log.warn({ mail: mail.name, language, reason }, 'own text of a mail is not used');
    return other;
  }
  return { subject, text, ...(other.action !== undefined && { action: other.action }) };
}
