import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { entryOf } from '../src/modules/web/web-build.ts';

const files = join(import.meta.dirname, '../dist/web/files');
const JS_GZIP_BYTES_MAX = 60 * 1024;
const CSS_GZIP_BYTES_MAX = 15 * 1024;

const text = (name: string): string => readFileSync(join(files, name), 'utf8');
const gzipBytes = (name: string): number => readFileSync(join(files, `${name}.gz`)).length;

/** The scripts that a script loads at once (`import … from`), and itself. */
function loadedWith(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const imports = text(name).matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g);
  for (const [, imported] of imports) loadedWith(imported!, found);
  return found;
}

/** The scripts that a script loads later (`import(…)`). */
function loadedLater(names: Iterable<string>): string[] {
  return [...names].flatMap((name) =>
    [...text(name).matchAll(/\bimport\("\.\/([^"]+\.js)"\)/g)].map(([, later]) => later!),
  );
}

describe('the portal', () => {
  const { script, style, words } = entryOf('portal');
  const shell = loadedWith(script!);
  const home = loadedLater(shell).find((name) => name.startsWith('home-'))!;
  const allWords = new Set(Object.values(words!));

  for (const [language, name] of Object.entries(words!)) {
    test(`loads at most 60 kB of scripts for its first screen in ${language}`, () => {
      const first = new Set([...shell, ...loadedWith(home), ...loadedWith(name)]);
      // The chart of the first screen comes after it, and counts too.
      for (const later of loadedLater(loadedWith(home))) {
        if (!allWords.has(later)) loadedWith(later, first);
      }
      const bytes = [...first].reduce((sum, one) => sum + gzipBytes(one), 0);
      assert.ok(bytes <= JS_GZIP_BYTES_MAX, `${bytes} bytes: ${[...first].join(', ')}`);
    });
  }

  test('loads at most 15 kB of style', () => {
    assert.ok(gzipBytes(style!) <= CSS_GZIP_BYTES_MAX, `${gzipBytes(style!)} bytes`);
  });
});

test('public pages load at most 15 kB of style', () => {
  assert.ok(gzipBytes(entryOf('public').style!) <= CSS_GZIP_BYTES_MAX);
});

test('nothing in the web app names another host', () => {
  // Names of XML vocabularies, and a page that an error message of the passkey library refers to.
  const names = /^http:\/\/www\.w3\.org\/|^https:\/\/simplewebauthn\.dev\/docs\//;
  const found = globSync('*.{js,css,svg}', { cwd: files }).flatMap((name) =>
    [...text(name).matchAll(/(?:https?:)?\/\/[\w-]+(?:\.[\w-]+)+[^"'`\s)]*/g)]
      .map(([address]) => address)
      .filter((address) => !names.test(address))
      .map((address) => `${name}: ${address}`),
  );
  assert.deepEqual(found, []);
});
