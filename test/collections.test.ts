import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from './support/harness.ts';

/** All collections in the registry have the same pagination. */
const app = await openTestApp();

const collections = app.site.registry
  .allOperations()
  .filter(({ headers }) => headers !== undefined && Object.hasOwn(headers, 'X-Svc-Total'));

describe('every collection', () => {
  test('is found by this test', () => {
    assert.ok(collections.length >= 13, String(collections.length));
  });

  for (const { method, url, query } of collections) {
    test(`${method} ${url}: page from 1, default 1; per_page from 1 to 100, default 20`, () => {
      const rule = ({ minimum, default: usual, maximum }: Record<string, unknown>) => ({
        minimum,
        usual,
        maximum,
      });
      const { page, per_page } = query!.properties as Record<string, Record<string, unknown>>;
      assert.deepEqual(rule(page!), { minimum: 1, usual: 1, maximum: Number.MAX_SAFE_INTEGER });
      assert.deepEqual(rule(per_page!), { minimum: 1, usual: 20, maximum: 100 });
    });
  }
});
