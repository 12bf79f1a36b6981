import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
/** Whatever could name one, wherever it is. */
const files = globSync(['**/*Dockerfile*', '**/*.{yml,yaml}', '.github/**/*.{yml,yaml}'], {
  cwd: root,
  exclude: ['**/node_modules/**', 'dist/**'],
});
/** Built here. */
const OWN = /^tributary(-\w+)?$/;

test('every action and every image of others is named by its hash, which no one can move', () => {
  const named = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = text.matchAll(/^\s*(?:- )?(?:uses:|image:|FROM)[ \t]+(?:--\S+\s+)*(\S+)/gm);
    return [...found]
      .map(([, name]) => `${file}: ${name!}`)
      .filter((one) => !OWN.test(one.split(' ')[1]!));
  });
  assert.ok(
    ['Dockerfile', 'compose.yml', '.github/workflows/ci.yml'].every((one) => files.includes(one)),
  );
  assert.ok(named.length >= 12, named.join('\n'));
  const loose = named.filter((one) => !/@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$/.test(one));
  assert.deepEqual(loose, []);
});
