import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CompressedBody } from '../src/kernel/cache/compressed-body.ts';
import { openTestApp } from './support/harness.ts';

const app = await openTestApp();

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Reads a response without decompressing it. */
function fetchRaw(path: string, headers: Record<string, string>, method = 'GET'): Promise<Raw> {
  const { promise, resolve, reject } = Promise.withResolvers<Raw>();
  const sent = request(`${app.url}${path}`, { method, headers, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        bytes: Buffer.concat(chunks),
      }),
    );
  });
  sent.on('error', reject).end();
  return promise;
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

for (const path of ['/svc/v2/openapi', '/svc/store/v1/openapi', '/docs', '/docs?api=store']) {
  describe(`GET ${path}`, () => {
    for (const encoding of ['br', 'gzip'] as const) {
      test(`${encoding}: the same content in fewer bytes, with its own ETag`, async () => {
        const plain = await fetchRaw(path, {});
        const small = await fetchRaw(path, { 'accept-encoding': encoding });
        assert.equal(plain.headers['content-encoding'], undefined);
        assert.equal(small.headers['content-encoding'], encoding);
        assert.equal(decoders[encoding](small.bytes).toString(), plain.bytes.toString());
        assert.ok(small.bytes.length < plain.bytes.length / 2);
        assert.equal(small.headers['content-length'], String(small.bytes.length));
        assert.match(small.headers.etag!, /^"[^"]+"$/);
        assert.notEqual(small.headers.etag, plain.headers.etag);
        for (const { headers } of [plain, small]) assert.equal(headers.vary, 'Accept-Encoding');
      });

      test(`${encoding}: 304 for the ETag of this encoding, 200 for that of another`, async () => {
        const accept = { 'accept-encoding': encoding };
        const { headers } = await fetchRaw(path, accept);
        const known = await fetchRaw(path, { ...accept, 'if-none-match': headers.etag! });
        assert.deepEqual([known.status, known.bytes.length], [304, 0]);
        assert.equal(known.headers['content-encoding'], undefined);
        assert.equal(known.headers.vary, 'Accept-Encoding');
        assert.equal(known.headers.etag, headers.etag);
        const other = await fetchRaw(path, { 'if-none-match': headers.etag! });
        assert.equal(other.status, 200, 'the uncompressed bytes differ');
      });

      test(`${encoding}: HEAD has the headers of GET`, async () => {
        const accept = { 'accept-encoding': encoding };
        const [whole, head] = [await fetchRaw(path, accept), await fetchRaw(path, accept, 'HEAD')];
        assert.equal(head.bytes.length, 0);
        for (const name of ['content-length', 'content-encoding', 'etag', 'vary'] as const) {
          assert.equal(head.headers[name], whole.headers[name], name);
        }
      });
    }
  });
}

test('concurrent requests get the same bytes, compressed once', async () => {
  const body = new CompressedBody(Buffer.from('tributary '.repeat(1_000)));
  const [first, second] = await Promise.all([body.in('br'), body.in('br')]);
  assert.equal(first, second);
  assert.equal(body.in('br'), first, 'the result is cached');
});

test('a changed setting changes the ETag of every encoding', async () => {
  const tags = async () => [
    (await fetchRaw('/svc/v2/openapi', {})).headers.etag,
    (await fetchRaw('/svc/v2/openapi', { 'accept-encoding': 'br' })).headers.etag,
  ];
  const before = await tags();
  await app.set({ 'api.disabled_endpoints': ['get_me'] });
  const changed = await tags();
  await app.set({ 'api.disabled_endpoints': [] });
  assert.ok(before.every((tag, i) => tag !== changed[i]));
  assert.deepEqual(await tags(), before);
});

test('a response with private data is never compressed, so that its size reveals nothing', async () => {
  const key = await app.key('admin', 'read,write,manage');
  const reply = await fetchRaw('/svc/store/v1/settings', {
    authorization: `Bearer ${key}`,
    'x-forwarded-proto': 'https',
    'accept-encoding': 'br, gzip',
  });
  assert.equal(reply.status, 200);
  assert.equal(reply.headers['content-encoding'], undefined);
  assert.equal(reply.headers.vary, undefined);
});
