import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

const root = join(import.meta.dirname, '..');
const script = join(root, 'scripts/without-addon.ts');

describe('the program type-checks without', () => {
  for (const name of readdirSync(join(root, 'src/addons'))) {
    test(name, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, name], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stdout + stderr);
    });
  }
});
