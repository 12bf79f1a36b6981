import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { openTestApp } from './support/harness.ts';
import { exchange, requestText } from './support/raw.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');

describe('every response', () => {
  const paths = ['/me', '/nothing', '/keys?page=0', '~/', '~/healthz', '~/%zz', '~/nothing'];

  test('has a unique request id', async () => {
    const seen = new Set<string>();
    for (const path of [...paths, ...paths]) {
      const id = (await app.call(path)).headers.get('x-request-id');
      assert.match(id!, /^[\w-]{6,64}$/, path);
      seen.add(id!);
    }
    assert.equal(seen.size, paths.length * 2);
  });

  test("never has the caller's request id", async () => {
    const headers = { 'x-request-id': 'chosen', 'request-id': 'chosen' };
    assert.notEqual((await app.call('/me', { headers })).headers.get('x-request-id'), 'chosen');
  });

  test('has security headers and does not reveal the server software', async () => {
    for (const path of paths) {
      const { headers } = await app.call(path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      const caching = path === '~/' ? 'private, no-cache' : 'no-store';
      assert.equal(headers.get('cache-control'), caching, path);
      for (const name of ['server', 'x-powered-by']) assert.equal(headers.get(name), null, path);
    }
  });

  test('forbids browsers to load resources, frame it or send a referrer', async () => {
    for (const path of paths) {
      const { headers } = await app.call(path);
      const policy = headers.get('content-security-policy')!;
      assert.ok(policy.startsWith("default-src 'none'"), path);
      assert.ok(policy.includes("frame-ancestors 'none'"), path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path);
    }
  });

  test('has HSTS if the request came over HTTPS', async () => {
    for (const path of paths) {
      const secure = (await app.call(path)).headers.get('strict-transport-security');
      assert.equal(secure, 'max-age=31536000', path);
      const plain = (await app.call(path, { secure: false })).headers;
      assert.equal(plain.get('strict-transport-security'), null, path);
    }
  });

  test('is JSON in UTF-8, as are errors', async () => {
    for (const path of ['/me', '/nothing', '/keys?page=0', '~/healthz', '~/%zz']) {
      const { headers, body } = await app.call(path, path.startsWith('~') ? {} : { key: admin });
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8', path);
      assert.equal(typeof body, 'object');
    }
  });

  test('has a code, a message and its status if it is an error', async () => {
    const { status, body } = await app.call('/me');
    assert.deepEqual(Object.keys(body), ['code', 'message', 'data']);
    assert.equal(body.data.status, status);
  });

  test('has WWW-Authenticate if it is a 401', async () => {
    const { headers } = await app.call('/me');
    assert.equal(
      headers.get('www-authenticate'),
      'Bearer realm="Tributary", Basic realm="Tributary", charset="UTF-8"',
    );
  });

  test('does not offer Basic to a browser, which would open a dialog', async () => {
    const { headers } = await app.call('/me', { headers: { 'sec-fetch-site': 'same-origin' } });
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="Tributary"');
  });
});

describe('HEAD', () => {
  for (const path of ['/me', '/keys', '/openapi', '~/', '~/healthz']) {
    test(`${path} has the headers of GET without its body`, async () => {
      const key = path.startsWith('~') ? {} : { key: admin };
      const [head, get] = [
        await app.call(path, { method: 'HEAD', ...key }),
        await app.call(path, key),
      ];
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      for (const name of ['content-type', 'content-length', 'x-svc-total', 'cache-control']) {
        assert.equal(head.headers.get(name), get.headers.get(name), name);
      }
    });
  }

  test('is refused like GET', async () => {
    assert.equal((await app.call('/me', { method: 'HEAD' })).status, 401);
    assert.equal((await app.call('/nothing', { method: 'HEAD' })).status, 404);
  });
});

test('TRACE is an unknown method, and the response does not echo the request', async () => {
  const answer = await exchange(app.url, requestText('TRACE /healthz', { 'X-Canary': 'canary' }));
  assert.match(answer, /^HTTP\/1\.1 404 /);
  assert.doesNotMatch(answer, /canary/i);
});

describe('bytes that are not a valid request', () => {
  const broken: [why: string, bytes: string | Buffer][] = [
    ['garbage', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10])],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n\r\n'],
    ['a TLS greeting', Buffer.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3])],
    ['an unknown method', requestText('BREW /svc/v2/me')],
    ['a header without a name', requestText('GET /svc/v2/me', { '': 'x' })],
    ['a space in the target', requestText('GET /svc v2/me')],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'both Content-Length and chunked encoding (request smuggling)',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', requestText('POST /svc/v2/keys', { 'Content-Length': '-1' })],
    [
      'a broken chunk',
      `${requestText('POST /session', { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' })}zz\r\n`,
    ],
  ];
  for (const [why, bytes] of broken) {
    test(`${why}: 400, and the server continues to serve`, async () => {
      assert.match(await exchange(app.url, bytes), /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.equal((await app.call('~/healthz')).status, 200);
    });
  }

  test('endless headers: 431', async () => {
    const bytes = requestText('GET /svc/v2/me', { 'X-Long': 'x'.repeat(100_000) });
    assert.match(await exchange(app.url, bytes), /^HTTP\/1\.1 431 /);
    assert.equal((await app.call('~/healthz')).status, 200);
  });

  const refusedByNode: [why: string, bytes: string | Buffer, status: number, code: string][] = [
    ['garbage', 'garbage\r\n\r\n', 400, 'rest_bad_request'],
    ['an unknown method', requestText('BREW /svc/v2/me'), 400, 'rest_bad_request'],
    ['no Host', 'GET /svc/v2/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'rest_bad_request'],
    [
      'an unknown expectation',
      requestText('GET /svc/v2/me', { Expect: 'the-impossible' }),
      417,
      'rest_expectation_failed',
    ],
    [
      'endless headers',
      requestText('GET /svc/v2/me', { 'X-Long': 'x'.repeat(100_000) }),
      431,
      'rest_headers_too_large',
    ],
    ['a tunnel', requestText('CONNECT store.example:443'), 404, 'rest_no_route'],
  ];
  for (const [why, bytes, status, code] of refusedByNode) {
    test(`${why}: ${status} ${code} with the shape and the headers of every error`, async () => {
      const [head, text] = (await exchange(app.url, bytes)).split('\r\n\r\n') as [string, string];
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
      const { message, ...body } = JSON.parse(text);
      assert.deepEqual(body, { code, data: { status } });
      assert.equal(typeof message, 'string');
      const headers = head.toLowerCase();
      assert.match(headers, /^content-type: application\/json; charset=utf-8$/m);
      assert.match(headers, /^content-security-policy: default-src 'none'/m);
      assert.match(headers, /^x-content-type-options: nosniff$/m);
      assert.match(headers, /^x-request-id: [\w-]+$/m);
    });
  }

  test('a request under /svc/ that is refused for its headers counts towards the rate limit', async () => {
    const bytes = 'GET /svc/v2/me HTTP/1.1\r\nConnection: close\r\n\r\n';
    assert.match(await exchange(app.url, bytes), /^ratelimit: "default";r=\d+;t=\d+\r$/m);
  });

  test('a request that takes too long to arrive: 408 in JSON', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const [connection] = await once(app.server, 'connection');
    // Node emits this when the time is over.
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', late, connection);
    const answer = (await socket.setEncoding('utf8').toArray()).join('');
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.equal(JSON.parse(answer.split('\r\n\r\n')[1]!).code, 'rest_request_timeout');
  });

  test('a request that is cut off is dropped', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /svc/v2/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"a"');
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    assert.equal((await app.call('~/healthz')).status, 200);
  });
});
