import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkTexts } from '../scripts/check-texts.ts';
import { languages, type Language } from '../src/shared/languages.ts';
import { tempFolder } from './support/temp-folder.ts';

const english = {
  title: 'Your orders',
  'rows.one': '{count} order',
  'rows.other': '{count} orders',
  'state.paid': 'Paid by {method}',
  noneTitle: 'No orders yet',
  noneText: 'Share your link.',
};
const SOURCE =
  "t('portal.title') + t('portal.rows', { count: 2 }) + t(`portal.state.${state}`, { method });" +
  '<EmptyState of="portal.none" />';

/** Checks a portal whose other languages differ from English only by a prefix, and by `change`. */
function errorsOf(change: Partial<Record<Language, Record<string, string | undefined>>>): string[] {
  const folder = tempFolder();
  for (const language of languages) {
    const own = Object.entries(english).map(([key, text]) => [
      key,
      language === 'en' ? text : `${language} ${text}`,
    ]);
    mkdirSync(join(folder, 'texts', language), { recursive: true });
    const texts = { ...Object.fromEntries(own), ...change[language] };
    writeFileSync(join(folder, 'texts', language, 'portal.json'), JSON.stringify(texts));
  }
  mkdirSync(join(folder, 'web'));
  writeFileSync(join(folder, 'web', 'screen.tsx'), SOURCE);
  return checkTexts({ root: folder, sources: [join(folder, 'web')] });
}

describe('the check of the texts', () => {
  test('accepts messages that are complete, used and translated', () => {
    assert.deepEqual(errorsOf({}), []);
  });

  for (const [error, change, line] of [
    ['a missing key', { de: { title: undefined } }, 'de lacks portal.title'],
    ['a superfluous key', { fr: { more: 'Plus' } }, 'fr has portal.more, which English lacks'],
    [
      'a word that has another one in its place',
      { en: { title: 'Your mails, by the mail server' } },
      'en portal.title says "mails": email',
    ],
    [
      'a word for affiliates',
      { de: { title: 'Die Bestellungen des Partners' } },
      'de portal.title says "Partners": {affiliate}',
    ],
    [
      'French punctuation after a space that breaks',
      { fr: { title: 'Vos commandes : toutes' } },
      'fr portal.title lacks the narrow no-break space beside :',
    ],
    [
      'French quotation marks without their spaces',
      { fr: { title: 'Vos «commandes\u202F»' } },
      'fr portal.title lacks the narrow no-break space beside «',
    ],
    [
      'a word of Portugal',
      { pt: { title: 'As suas encomendas' } },
      'pt portal.title says "encomendas", as in Portugal',
    ],
    [
      'an unused key',
      Object.fromEntries(languages.map((one) => [one, { old: `${one} text` }])),
      'portal.old is not used',
    ],
    [
      'another placeholder',
      { es: { 'state.paid': 'Pagado por {gateway}' } },
      'es portal.state.paid has the placeholders gateway, English method',
    ],
    [
      'a missing plural form',
      { pt: { 'rows.one': undefined } },
      'pt lacks the plural form portal.rows.one,pt lacks portal.rows.one',
    ],
    [
      'an English text',
      { de: { title: english.title } },
      'de portal.title is not translated: Your orders (scripts/texts-alike.json lists words that are alike)',
    ],
  ] as const) {
    test(`reports ${error}`, () => assert.equal(errorsOf(change).join(), line));
  }
});
