import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { entryOf } from './index.ts';

const app = await openTestApp();
const { script, style, words } = entryOf('portal');

describe('GET /app/files/{file}', () => {
  for (const [file, type] of [
    [script!, /^text\/javascript/],
    [style!, /^text\/css/],
    [words!['de']!, /^text\/javascript/],
  ] as const) {
    test(`200: ${file.split('-')[0]} with its type, cached for good`, async () => {
      const { status, headers, text } = await app.call(`~/app/files/${file}`);
      assert.equal(status, 200);
      assert.match(headers.get('content-type')!, type);
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.notEqual(text, '');
    });
  }

  test('200: the build has compressed it, with the same content', async () => {
    const bytes = async (encoding: string) => {
      const response = await fetch(`${app.url}/app/files/${style}`, {
        headers: { 'accept-encoding': encoding },
      });
      return { response, body: Buffer.from(await response.arrayBuffer()) };
    };
    const plain = await bytes('identity');
    for (const encoding of ['br', 'gzip']) {
      // `fetch` unpacks what it receives.
      const { response, body } = await bytes(encoding);
      assert.equal(response.headers.get('content-encoding'), encoding);
      assert.deepEqual(body, plain.body);
    }
  });

  test('404: an unknown name, a compressed variant by name, and a path outside', async () => {
    for (const name of [
      'portal-00000000.js',
      `${script}.br`,
      'manifest.json',
      '..%2fmanifest.json',
      '%2e%2e%2fmanifest.json',
    ]) {
      assert.equal((await app.call(`~/app/files/${name}`)).status, 404, name);
    }
  });
});
