import type { MailTexts } from '../src/modules/mail/mail.ts';
import { languages, type Language } from '../src/shared/languages.ts';

/** The same templates for every language. */
export function inEveryLanguage(texts: MailTexts): Record<Language, MailTexts> {
  // `fromEntries` forgets the keys, which are all languages.
  return Object.fromEntries(languages.map((one) => [one, texts])) as Record<Language, MailTexts>;
}
