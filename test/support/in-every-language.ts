import type { TObject } from 'typebox';
import type { MailDefinition, MailTexts } from '../../src/modules/mail/mail.ts';
import { languages, type Language } from '../../src/shared/languages.ts';

/** The same templates for every language. */
export function inEveryLanguage(texts: MailTexts): Record<Language, MailTexts> {
  // `fromEntries` forgets the keys, which are all languages.
  return Object.fromEntries(languages.map((one) => [one, texts])) as Record<Language, MailTexts>;
}

/** A mail of a test, whose texts are not in the catalogue. */
export function testMail<D extends TObject>(
  name: string,
  texts: Record<Language, MailTexts>,
  data: D,
  options: Partial<MailDefinition> = {},
): MailDefinition<D> {
  return { ...options, name, texts, data };
}
