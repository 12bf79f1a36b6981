import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { languages, type Language } from '../../src/shared/languages.ts';
import './browser-globals.ts';

const { t, useWords } = await import('../../web/words.ts');

const textsIn = (language: Language, part: string) =>
  JSON.parse(
    readFileSync(new URL(`../../texts/${language}/${part}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;

const expected: Readonly<Record<Language, readonly string[]>> = {
  en: ['Ambassadors', 'Invite ambassador', 'Other cases of this ambassador'],
  de: ['Botschafter', 'Botschafter einladen', 'Weitere Fälle dieses Botschafters'],
  fr: ['Ambassadeurs', 'Inviter un ambassadeur', 'Autres dossiers du même ambassadeur'],
  es: ['Embajadores', 'Invitar a un embajador', 'Otros casos de este embajador'],
  pt: ['Embaixadores', 'Convidar embaixador', 'Outros casos deste embaixador'],
};

describe('the console calls affiliates by the word of the site', () => {
  for (const language of languages) {
    test(language, () => {
      const parts = ['console', 'console-affiliates', 'console-review', 'program'] as const;
      const texts = Object.fromEntries(parts.map((part) => [part, textsIn(language, part)]));
      useWords(language, texts, { affiliateWord: 'ambassador' });
      assert.deepEqual(
        [t('console.nav.affiliates'), t('console-affiliates.create'), t('console-review.others')],
        expected[language],
      );
    });
  }
});
