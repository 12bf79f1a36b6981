import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { languages } from '../../shared/languages.ts';

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
  for (const language of languages) {
    const folder = new URL(`../../../texts/${language}/`, import.meta.url);
    if (language === 'en' || !existsSync(new URL('console.json', folder))) continue;
    test(`${language}: every setting and every group has its words, and there are no others`, () => {
      const file = new URL('console-setting-names.json', folder);
      const names = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object);
      assert.deepEqual(names.toSorted(), wanted.toSorted());
    });
  }
});
