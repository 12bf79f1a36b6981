import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import german from '../../texts/de/said.json' with { type: 'json' };
import spanish from '../../texts/es/said.json' with { type: 'json' };
import french from '../../texts/fr/said.json' with { type: 'json' };
import portuguese from '../../texts/pt/said.json' with { type: 'json' };
import { translated } from '../../web/translated.ts';

const literal = /(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)/.source;
const sentence = `${literal}(?:\\s*\\+\\s*${literal})*`;

/** The sentences that a source has after one of these beginnings, with holes for their values. */
function sentencesIn(pattern: string, beginning: string): string[] {
  const after = new RegExp(`${beginning}\\s*(${sentence})`, 'gm');
  const files = globSync(pattern, { exclude: ['**/*.test.ts'] });
  assert.notEqual(files.length, 0, pattern);
  return files
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(after)].map(([, found]) =>
        [...found!.matchAll(new RegExp(literal, 'g'))].map(([part]) => part.slice(1, -1)).join(''),
      ),
    )
    .filter((text) => text.includes(' '));
}

const holed = (text: string) => text.replaceAll(/\$?\{[^}]*\}/g, '{}');
const receivers = [
  ...sentencesIn('src/shared/transport-error.ts', "  '?[\\w-]+'?:"),
  ...sentencesIn('src/modules/deliveries/exchange.ts', "(?:isGood \\? '' :|error.message :)"),
];
const stores = [
  ...sentencesIn('src/addons/stores/**/*.ts', "new StoreError\\(\\s*'\\w+',"),
  ...sentencesIn('src/addons/stores/connectors/store-api.ts', "^  '?[\\w-]+'?:"),
  ...sentencesIn('src/addons/stores/connections/health.ts', 'return (?=.The webhooks)'),
];

describe('what the service says in English about stores and receivers', () => {
  for (const [language, texts] of Object.entries({
    de: german,
    es: spanish,
    fr: french,
    pt: portuguese,
  })) {
    test(`${language}: has every sentence, as it is in the sources`, () => {
      const known = new Set(Object.keys(texts).map(holed));
      const wanted = [...receivers, ...stores];
      assert.deepEqual(
        wanted.map(holed).filter((one) => !known.has(one)),
        [],
      );
    });
  }

  test('is shown in the language of the page, with its values; a sentence without words stays', () => {
    const said = (english: string) => translated(english, german);
    assert.equal(said('The store answered 503.'), 'Der Shop hat mit 503 geantwortet.');
    assert.equal(
      said('The store redirects to https://a.example. Connect that address instead.'),
      'Der Shop leitet auf https://a.example weiter. Verbinden Sie stattdessen diese Adresse.',
    );
    assert.equal(said('What an extension says.'), 'What an extension says.');
  });
});
