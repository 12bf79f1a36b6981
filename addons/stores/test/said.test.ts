import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertSaid, sentencesIn } from '../../../test/support/said-sentences.ts';
import { translated } from '../../../web/translated.ts';
import german from '../texts/de.json' with { type: 'json' };
import spanish from '../texts/es.json' with { type: 'json' };
import french from '../texts/fr.json' with { type: 'json' };
import portuguese from '../texts/pt.json' with { type: 'json' };

const sentences = [
  ...sentencesIn('addons/stores/**/*.ts', "new StoreError\\(\\s*'\\w+',"),
  ...sentencesIn('addons/stores/connectors/store-api.ts', "^  '?[\\w-]+'?:"),
  ...sentencesIn('addons/stores/connections/health.ts', 'return (?=.The webhooks)'),
];

describe('what the service says in English about stores', () => {
  for (const [language, { said }] of Object.entries({
    de: german,
    es: spanish,
    fr: french,
    pt: portuguese,
  })) {
    test(`${language}: has every sentence, as it is in the sources`, () => {
      assertSaid(sentences, said);
    });
  }

  test('is shown in the language of the page, with its values', () => {
    const said = (english: string) => translated(english, german.said);
    assert.equal(said('The store answered 503.'), 'Der Shop hat mit 503 geantwortet.');
    assert.equal(
      said('The store redirects to https://a.example. Connect that address instead.'),
      'Der Shop leitet auf https://a.example weiter. Verbinden Sie stattdessen diese Adresse.',
    );
  });
});
