import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { unpack } from '../../test/stores/woocommerce/php-shop.ts';
import { zipOf } from './zip.ts';

test('another program unpacks what was packed, and checks its sums', () => {
  const files = { 'plugin/a.php': '<?php // ü\n', 'plugin/ä.txt': '', 'b.txt': 'b'.repeat(70_000) };
  const folder = unpack(zipOf(files));
  for (const [path, text] of Object.entries(files)) {
    assert.equal(readFileSync(join(folder, path), 'utf8'), text, path);
  }
  assert.deepEqual(zipOf(files), zipOf(files));
});
