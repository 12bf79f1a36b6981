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
  en: [
    'Ambassadors',
    'Invite ambassador',
    'Orders with a code or through a link of this ambassador appear here.',
  ],
  de: [
    'Botschafter',
    'Botschafter einladen',
    'Hier erscheinen Bestellungen mit einem Code oder über einen Link dieses Botschafters.',
  ],
  fr: [
    'Ambassadeurs',
    'Inviter un ambassadeur',
    'Les commandes passées avec un code ou un lien de votre ambassadeur apparaissent ici.',
  ],
  es: [
    'Embajadores',
    'Invitar a un embajador',
    'Aquí aparecen los pedidos con un código o a través de un enlace de este embajador.',
  ],
  pt: [
    'Embaixadores',
    'Convidar embaixador',
    'Os pedidos com um código ou por um link deste embaixador aparecem aqui.',
  ],
};

describe('the console calls affiliates by the word of the site', () => {
  for (const language of languages) {
    test(language, () => {
      const parts = ['console', 'console-affiliates', 'program'] as const;
      const texts = Object.fromEntries(parts.map((part) => [part, textsIn(language, part)]));
      useWords(language, texts, { affiliateWord: 'ambassador' });
      assert.deepEqual(
        [
          t('console.nav.affiliates'),
          t('console-affiliates.create'),
          t('console-affiliates.none.orders.text'),
        ],
        expected[language],
      );
    });
  }
});
