import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Mustache from 'mustache';
import { loadEdition } from '../../edition-pro.ts';
import { languages } from '../../shared/languages.ts';
import { mails, type MailDefinition } from './index.ts';
import type { MailTexts } from './mail.ts';
import { checkTemplate } from './render-mail.ts';

const known = (await loadEdition('pro'))
  .flatMap((module) => module.contributions ?? [])
  .filter(({ point }) => point === mails)
  .map(({ value }) => value as MailDefinition);

/** The names that templates use; `affiliate` and `affiliates` are forms of one word. */
function variablesOf(...templates: (string | undefined)[]): string[] {
  const names = new Set<string>();
  const visit = (tokens: unknown[][]): void => {
    for (const [kind, name, , , inner] of tokens) {
      if (kind !== 'text') names.add(String(name).replace(/^affiliates$/, 'affiliate'));
      if (Array.isArray(inner)) visit(inner);
    }
  };
  for (const template of templates) visit(Mustache.parse(template ?? ''));
  return [...names].toSorted();
}

describe('the texts of mails', () => {
  test('there are some', () => assert.ok(known.length > 15));

  for (const mail of known) {
    test(`${mail.name}: every language uses the same known variables and says something of its own`, () => {
      const parts = (texts: MailTexts) => [texts.subject, texts.text, texts.action];
      const english = mail.texts.en;
      for (const language of languages) {
        const texts = mail.texts[language];
        for (const part of parts(texts)) checkTemplate(part ?? '', mail);
        assert.deepEqual(
          variablesOf(...parts(texts)),
          variablesOf(...parts(english)),
          `${mail.name} in ${language}`,
        );
        assert.equal(texts.action === undefined, english.action === undefined, language);
        if (language !== 'en') assert.notEqual(texts.text, english.text, language);
      }
    });
  }
});
