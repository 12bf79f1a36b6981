import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadEdition } from '../src/edition-pro.ts';
import { bodyOf } from '../src/kernel/call/input-readers.ts';
import { Registry } from '../src/kernel/declare/registry.ts';
import { SettingValues } from '../src/kernel/declare/setting.ts';
import { withAddons } from './support/addon-facts.ts';

const root = join(import.meta.dirname, '..');
const text = ['asvs.md', 'security.md']
  .map((name) => readFileSync(join(root, 'docs', name), 'utf8'))
  .join('\n');
const rows = [
  ...text.matchAll(/^\| (V[\d.]+) +\| ([12]) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm),
].map(([, number, level, requirement, verdict, where]) => ({
  number: number!,
  level,
  requirement,
  verdict: verdict!,
  where: where!,
}));
const FILE = /`((?:src|test|docs|deploy)\/[\w./-]+|[\w.-]+\.(?:json|md|yml)|\.\w+ignore)`/g;

describe('docs/security.md and docs/asvs.md', () => {
  test('has a verdict for each requirement of the levels 1 and 2, once', () => {
    assert.equal(rows.length, 253);
    assert.equal(rows.filter(({ level }) => level === '1').length, 70);
    assert.equal(new Set(rows.map(({ number }) => number)).size, 253);
    const verdicts = new Set(rows.map(({ verdict }) => verdict));
    assert.deepEqual([...verdicts].sort(), ['met', 'not applicable', 'not met']);
  });

  test('counts the requirements correctly', () => {
    const count = (verdict: string) => rows.filter((row) => row.verdict === verdict).length;
    const sentence = `${count('met')} are met, ${count('not met')} are not, ${count('not applicable')} do not apply`;
    assert.ok(text.replaceAll('\n', ' ').includes(sentence), sentence);
  });

  test('names files that exist', () => {
    const named = [...text.matchAll(FILE)].map(([, file]) => file!);
    assert.ok(named.length > 100);
    for (const file of named) assert.ok(existsSync(join(root, file)), file);
  });

  test('gives the reason for each requirement that is not met', () => {
    for (const { number, where } of rows) assert.ok(where.length > 5, number);
  });

  test('only one module decodes files', () => {
    /** What is decoded elsewhere is no file. */
    const others = {
      'src/modules/users/password.ts': 'the salt and the hash of a password',
      'src/modules/passwords/basic-credential.ts': 'a header',
      'src/modules/earnings/statement/statement-pdf.ts': 'our own fonts',
      'src/shared/standard-webhooks.ts': 'a secret',
      'src/installation/data-folder.ts': 'our own secret',
      'src/shared/secrets.ts': 'what we have encrypted',
      'src/modules/setup/setup-draft.ts': 'our own cookie',
      'src/modules/two-factor/passkeys/verify-passkey.ts': 'keys of passkeys',
    };
    const decoding = globSync('{src,addons}/**/*.ts', { cwd: root })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => !/\.test\.ts$|\/test\//.test(name))
      .filter((name) => {
        const source = readFileSync(join(root, name), 'utf8');
        return /,\s*'base64(?:url)?'|\batob\(|contentEncoding: /.test(source);
      });
    const expected = [
      ...Object.keys(withAddons(others, ({ decodes }) => decodes)),
      'src/shared/base64-file.ts',
    ];
    assert.deepEqual(decoding.sort(), expected.sort());
  });

  test('names every operation that takes a file in its chapter on files', async () => {
    const registry = new Registry(await loadEdition('pro'), new SettingValues());
    const taking = registry
      .allOperations()
      .filter((one) => {
        const isInBase64 = JSON.stringify(bodyOf(one, registry) ?? {}).includes('"base64"');
        return one.upload || isInBase64;
      })
      .map(({ method, path }) => `${method} ${path}`);
    const chapter = text.slice(text.indexOf('## Files'), text.indexOf('## The log'));
    assert.ok(taking.length >= 6, taking.join());
    assert.deepEqual(
      taking.filter((one) => !chapter.split('`').includes(one)),
      [],
    );
  });
});
