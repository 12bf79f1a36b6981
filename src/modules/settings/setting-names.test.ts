import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readTexts } from '../../../scripts/addon-files.js';
import { openTestApp } from '../../../test/support/harness.ts';
import { languages } from '../../shared/languages.ts';

const root = join(import.meta.dirname, '../../..');
const app = await openTestApp();
const key = await app.key('admin', 'manage');
const { body: schema } = await app.call('/svc/store/v1/settings/schema', { key });

/** What the console shows about settings, which the declarations say in English. */
const wanted = [
  ...schema['x-groups'].map(({ name }: { name: string }) => `group.${name}`),
  ...Object.entries<{ 'x-hidden'?: boolean }>(schema.properties)
    .filter(([, property]) => !property['x-hidden'])
    .flatMap(([name]) => [`${name}.title`, `${name}.help`]),
];

describe('the names of settings in the console', () => {
  test('en: no article depends on the word of the site, which replaces "affiliate"', () => {
    const texts = Object.values<{ title?: string; description: string }>(schema.properties);
    const found = texts.map(({ title, description }) => `${title}: ${description}`);
    assert.deepEqual(
      found.filter((text) => /\ban affiliate/i.test(text)),
      [],
    );
  });

  for (const language of languages) {
    const hasConsole = existsSync(join(root, 'texts', language, 'console.json'));
    if (language === 'en' || !hasConsole) continue;
    test(`${language}: every setting and every group has its words, and there are no others`, () => {
      const names = Object.keys(readTexts(root, language)['console-setting-names']!);
      assert.deepEqual(names.toSorted(), wanted.toSorted());
    });
  }
});
