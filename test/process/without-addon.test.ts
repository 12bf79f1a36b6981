import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
/** What is still outside the folder. */
const unfinished: Readonly<Record<string, string>> = {
  multilevel: 'web/console/affiliates shows and sets the parent of an affiliate',
};
const addons = readdirSync(join(root, 'addons'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => !(name in unfinished));

describe('without its folder, and without its lines in the edition,', () => {
  for (const name of addons) {
    test(`${name} leaves a program that passes the checks and the tests of everything`, () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['scripts/without-addons.ts', name],
        { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 },
      );
      assert.equal(status, 0, `${stdout}\n${stderr}`);
    });
  }
});
