import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

// `npm run check` type-checks the program without its add-ons.
test('no add-on imports another', () => {
  const folderOf = (path: string) => /^(?:src\/)?addons\/[^/]+\//.exec(path)?.[0];
  const found = globSync('{src/,}addons/*/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.ts$|\/test\//.test(file))
    .flatMap((file) => {
      const imported = readFileSync(join(root, file), 'utf8').matchAll(/from '(\.[^']+)'/g);
      return [...imported]
        .map(([, path]) => join(file, '..', path!))
        .filter((path) => ![undefined, folderOf(file)].includes(folderOf(path)))
        .map((path) => `${file} imports ${path}`);
    });
  assert.deepEqual(found, []);
});
