import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { entryOf } from '../src/modules/web/web-build.ts';

const files = join(import.meta.dirname, '../dist/web/files');
const kB = 1000;

const text = (name: string): string => readFileSync(join(files, name), 'utf8');
const gzipBytes = (names: Iterable<string>): number =>
  [...new Set(names)].reduce(
    (sum, name) => sum + readFileSync(join(files, `${name}.gz`)).length,
    0,
  );

function assertAtMost(limit: number, names: readonly string[]): void {
  const bytes = gzipBytes(names);
  assert.ok(bytes <= limit, `${bytes} bytes instead of ${limit}: ${names.join(', ')}`);
}

describe('the portal', () => {
  const { script, style, chunks, words, further, screens, screenWords } = entryOf('portal');
  const shell = [script!, ...chunks];

  for (const [language, name] of Object.entries(words!)) {
    test(`loads at most 55 kB of scripts for any screen in ${language}, 42 kB for home and 50 kB for links`, () => {
      const first = [...shell, name];
      assertAtMost(42 * kB, first);
      for (const screen of Object.keys({ ...screens, ...screenWords })) {
        const own = screenWords![screen]?.[language];
        const code = screens![screen] ?? further!;
        const limit = screen === 'links' ? 50 : 55;
        assertAtMost(limit * kB, [...first, ...code, ...(own === undefined ? [] : [own])]);
      }
    });
  }

  test('loads at most 15 kB of style', () => assertAtMost(15 * kB, [style!]));
});

describe('the console', () => {
  const { script, style, chunks, words, screens, screenWords } = entryOf('console');

  for (const [language, name] of Object.entries(words!)) {
    for (const [screen, own] of Object.entries(screens!)) {
      test(`loads at most 70 kB of scripts for ${screen} in ${language}`, () =>
        assertAtMost(70 * kB, [
          script!,
          ...chunks,
          name,
          screenWords![screen]![language]!,
          ...own,
        ]));
    }
  }

  test('loads at most 15 kB of style', () => assertAtMost(15 * kB, [style!]));
});

test('public pages load at most 15 kB of style', () =>
  assertAtMost(15 * kB, [entryOf('public').style!]));

test('nothing in the web app names another host', () => {
  // Names of XML vocabularies, a page that an error message of the passkey library refers to, and what is only linked.
  const names =
    /^http:\/\/www\.w3\.org\/|^https:\/\/simplewebauthn\.dev\/docs\/|^https:\/\/dev\.shopify\.com\/dashboard$/;
  const found = globSync('*.{js,css,svg}', { cwd: files }).flatMap((name) =>
    [...text(name).matchAll(/(?:https?:)?\/\/[\w-]+(?:\.[\w-]+)+[^"'`\s)]*/g)]
      .map(([address]) => address)
      .filter((address) => !names.test(address))
      .map((address) => `${name}: ${address}`),
  );
  assert.deepEqual(found, []);
});
