import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from './support/harness.ts';
import { keysOfTables } from './support/key-columns.ts';

test('every table has a primary key, by which migrate-db copies it', async () => {
  const { site } = await openTestApp();
  const keys = await keysOfTables(site.database);
  assert.ok(keys.size > 50, String(keys.size));
  for (const [table, key] of keys) assert.notEqual(key.length, 0, table);
});
