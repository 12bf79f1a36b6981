import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import german from '../../texts/de/said.json' with { type: 'json' };
import spanish from '../../texts/es/said.json' with { type: 'json' };
import french from '../../texts/fr/said.json' with { type: 'json' };
import portuguese from '../../texts/pt/said.json' with { type: 'json' };
import { translated } from '../../web/translated.ts';
import { assertSaid, sentencesIn } from '../support/said-sentences.ts';

const receivers = [
  ...sentencesIn('src/shared/transport-error.ts', "  '?[\\w-]+'?:"),
  ...sentencesIn('src/modules/deliveries/exchange.ts', "(?:isGood \\? '' :|error.message :)"),
];

describe('what the service says in English about receivers', () => {
  for (const [language, texts] of Object.entries({
    de: german,
    es: spanish,
    fr: french,
    pt: portuguese,
  })) {
    test(`${language}: has every sentence, as it is in the sources`, () => {
      assertSaid(receivers, texts);
    });
  }

  test('is shown in the language of the page, with its values; a sentence without words stays', () => {
    const said = (english: string) => translated(english, german);
    assert.equal(said('The receiver answered 503.'), 'Der Empfänger hat mit 503 geantwortet.');
    assert.equal(said('What an extension says.'), 'What an extension says.');
  });
});
