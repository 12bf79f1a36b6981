import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { openTestApp } from './harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const operations = app.site.registry.allOperations().filter((op) => op.namespace !== 'site');

/** Values that break careless programs, and anything else. */
const odd = fc.oneof(
  fc.constantFrom('', '0', '-1', '1e999', 'null', '\u0000', '../..', '%', '🧀', '[]', 'true'),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.integer().map(String),
);
const oddJson = fc.oneof(fc.jsonValue({ maxDepth: 3 }), odd);
const runs = { numRuns: 40 };

describe('whatever comes in, the answer is never a 5xx', () => {
  for (const operation of operations) {
    const names = [
      ...Object.keys(operation.params?.properties ?? {}),
      ...Object.keys(operation.query?.properties ?? {}),
      'page',
    ];

    test(`${operation.method} ${operation.url}`, async () => {
      const fields = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), oddJson);
      await fc.assert(
        fc.asyncProperty(odd, fields, oddJson, async (id, query, body) => {
          const path = operation.url.replaceAll(/\{\w+\}/g, () => encodeURIComponent(id) || '0');
          const search = Object.entries(query)
            .map(([name, value]) => `${encode(name)}=${encode(value)}`)
            .join('&');
          const json = operation.method === 'GET' ? {} : { json: JSON.stringify(body) };
          const { method } = operation;
          const reply = await app.call(`${path}?${search}`, { method, key: admin, ...json });
          assert.ok(reply.status < 500, `${reply.status} ${reply.text}`);
        }),
        runs,
      );
    });

    const body = typeof operation.body === 'function' ? undefined : operation.body;
    if (!body) continue;
    test(`${operation.method} ${operation.url} with its own fields`, async () => {
      const fields = Object.fromEntries(
        Object.keys(body.properties).map((name) => [name, fc.option(oddJson, { nil: undefined })]),
      );
      await fc.assert(
        fc.asyncProperty(fc.record(fields), async (json) => {
          const path = operation.url.replaceAll(/\{\w+\}/g, '1');
          const reply = await app.call(path, { method: operation.method, key: admin, json });
          assert.ok(reply.status < 500, `${reply.status} ${reply.text}`);
        }),
        runs,
      );
    });
  }
});

/** Lone surrogates have no encoding. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed());
}
