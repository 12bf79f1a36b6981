import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

// `npm run check` type-checks the program without its add-ons.
test('no add-on imports another', () => {
  const addons = join(root, 'src/addons');
  const found = globSync('*/**/*.ts', { cwd: addons })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const own = join(addons, file.split('/')[0]!) + '/';
      const imported = readFileSync(join(addons, file), 'utf8').matchAll(/from '(\.[^']+)'/g);
      return [...imported]
        .map(([, path]) => join(addons, file, '..', path!))
        .filter((path) => path.startsWith(addons) && !path.startsWith(own))
        .map((path) => `${file} imports ${path}`);
    });
  assert.deepEqual(found, []);
});
