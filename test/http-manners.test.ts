import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from './support/harness.ts';
import { exchange, requestText } from './support/raw.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const settingsPath = '/svc/store/v1/settings';
const post = (json: unknown, headers = {}) =>
  app.call('/keys', { method: 'POST', key: admin, json, headers });

describe('unknown routes', () => {
  const unknown: [method: string, path: string][] = [
    ['GET', '/nothing'],
    ['GET', '/'],
    ['GET', '/keys/'],
    ['GET', '/coupons/'],
    ['GET', '/coupons//stats'],
    ['DELETE', '/keys/'],
    ['POST', '/registrations//status'],
    ['GET', '/Keys'],
    ['GET', '/keys/1'],
    ['GET', '/svc/'],
    ['GET', '/svc/v1/me'],
    ['GET', '/svc/v3/me'],
    ['GET', '~/nothing'],
    ['GET', '~//'],
    ['PUT', '/keys'],
    ['PATCH', '/me'],
    ['POST', '/me'],
    ['DELETE', '/keys'],
    ['OPTIONS', '/keys'],
    ['PROPFIND', '/keys'],
    ['POST', '~/'],
  ];
  for (const [method, path] of unknown) {
    test(`${method} ${path}: 404 rest_no_route, with a key and without`, async () => {
      const key = path.startsWith('~') ? {} : { key: admin };
      assert.equal(refusal(await app.call(path, { method, ...key })), '404 rest_no_route');
      assert.equal(refusal(await app.call(path, { method })), '404 rest_no_route');
    });
  }

  test('an unknown route is 404 with a malformed, oversized or unusual body as well', async () => {
    for (const options of [
      { json: '{"broken' },
      { json: 'x'.repeat(1_100_000) },
      { json: 'x', headers: { 'content-type': 'image/png' } },
    ]) {
      const reply = await app.call('/nothing', { method: 'POST', ...options });
      assert.equal(refusal(reply), '404 rest_no_route');
    }
  });

  test('bad URL encoding is an unknown path', async () => {
    for (const path of ['~/%zz', '/%zz', '/keys/%E0%A4%A', '~/%', '~/%c0%ae%c0%ae/etc']) {
      assert.equal(refusal(await app.call(path)), '404 rest_no_route', path);
    }
  });
});

describe('a switched-off route', () => {
  const bearer = { Authorization: `Bearer ${admin}`, 'X-Forwarded-Proto': 'https' };
  const wrong = { Authorization: 'Bearer svc_wrong', 'X-Forwarded-Proto': 'https' };
  const json = { 'Content-Type': 'application/json' };
  const masked = (answer: string) =>
    answer
      .replace(/^x-request-id: .*$/im, '')
      .replace(/^date: .*$/im, '')
      // Both requests count, so the remaining allowance differs by one.
      .replace(/^(ratelimit: "default");r=\d+;t=\d+$/im, '$1');
  const ask = async (line: string, headers: Record<string, string>, body?: string) =>
    masked(await exchange(app.url, requestText(line, headers, body)));

  const requests: [why: string, method: string, headers: Record<string, string>, body?: string][] =
    [
      ['GET without credentials', 'GET', {}],
      ['GET with a valid key', 'GET', bearer],
      ['GET with an invalid key', 'GET', wrong],
      ['GET with a key over plain HTTP', 'GET', { Authorization: `Bearer ${admin}` }],
      ['HEAD', 'HEAD', bearer],
      ['POST without credentials', 'POST', json, '{}'],
      ['POST with a valid key', 'POST', { ...bearer, ...json }, '{"scopes":["read"]}'],
      ['POST with malformed JSON', 'POST', { ...bearer, ...json }, '{"scopes":'],
      ['POST with another content type', 'POST', { ...bearer, 'Content-Type': 'text/plain' }, 'x'],
      ['POST with a large body', 'POST', { ...bearer, ...json }, `"${'x'.repeat(50_000)}"`],
    ];

  for (const [why, method, headers, body] of requests) {
    test(`${why}: the same bytes as an unknown route`, async () => {
      await app.set({ 'api.disabled_endpoints': ['get_keys', 'post_keys'] });
      const off = await ask(`${method} /svc/v2/keys`, headers, body);
      const unknown = await ask(`${method} /svc/v2/nope`, headers, body);
      assert.match(off, /^HTTP\/1\.1 404 Not Found\r\n/);
      assert.equal(off, unknown);
      await app.set({ 'api.disabled_endpoints': [] });
      const on = await ask(`${method} /svc/v2/keys`, headers, body);
      assert.notEqual(on, unknown, 'and the route is active again');
    });
  }

  test('counts invalid credentials towards the lock-out, as an unknown path does', async () => {
    await app.set({ 'api.disabled_endpoints': ['get_keys'] });
    for (const [path, address] of [
      ['/keys', '198.51.100.98'],
      ['/nope', '198.51.100.99'],
    ] as const) {
      const headers = { 'x-forwarded-for': address };
      for (let i = 0; i < 12; i++) {
        const reply = await app.call(path, { key: 'svc_wrong', headers });
        assert.equal(refusal(reply), '404 rest_no_route');
      }
      const reply = await app.call('/me', { key: admin, headers });
      assert.equal(refusal(reply), '429 svc_api_too_many_auth_failures', path);
    }
    await app.set({ 'api.disabled_endpoints': [] });
  });
});

describe('coercion of query, path and form values', () => {
  test('numbers', async () => {
    for (const value of ['1', '01', '+1', '%201', '1.0']) {
      const reply = await app.call(`/keys?per_page=${value}`, { key: admin });
      assert.equal(reply.status, 200, value);
      assert.equal(reply.body.length, 1, value);
    }
    for (const value of ['1e1', '0x1', 'one', '', '1,2', '--1', 'NaN', 'Infinity', '١']) {
      const reply = await app.call(`/keys?per_page=${encodeURIComponent(value)}`, { key: admin });
      assert.equal(refusal(reply), '400 rest_invalid_param', value);
    }
  });

  test('booleans', async () => {
    const set = (value: string) =>
      app.call(settingsPath, { method: 'PATCH', key: admin, form: `api.openapi_public=${value}` });
    for (const [value, expected] of [
      ['false', false],
      ['true', true],
      ['0', false],
      ['1', true],
      ['FALSE', false],
      ['True', true],
    ] as const) {
      assert.equal((await set(value)).body['api.openapi_public'], expected, value);
    }
    for (const value of ['yes', 'on', '2', '']) {
      assert.equal(refusal(await set(value)), '400 rest_invalid_param', value);
    }
  });

  test('JSON has its own types: text is refused as a number', async () => {
    assert.equal(refusal(await post({ user_id: '3' })), '400 rest_invalid_param');
  });

  test('unknown parameters are ignored', async () => {
    assert.equal((await app.call('/me?x=1&y[]=2&__proto__[z]=3', { key: admin })).status, 200);
    const reply = await post('{"unknown":{"a":[1]},"__proto__":{"scopes":["x"]},"constructor":1}');
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.body.scopes, ['read']);
  });

  test('a form is recognised by its content type, ignoring case and parameters', async () => {
    for (const type of [
      'application/x-www-form-urlencoded; charset=UTF-8',
      'Application/X-WWW-Form-Urlencoded',
    ]) {
      const headers = { 'content-type': type };
      const form = 'user_id=3&scopes=read,write';
      const reply = await app.call('/keys', { method: 'POST', key: admin, form, headers });
      assert.equal(reply.status, 201, `${type}: ${reply.text}`);
      assert.deepEqual(reply.body.scopes, ['read', 'write']);
    }
  });
});

describe('bodies', () => {
  test('malformed JSON: 400 rest_invalid_json', async () => {
    for (const text of ['{', '{"a":}', "{'a':1}", 'undefined', '{"a":1}x', '\u0000', '[1,]']) {
      assert.equal(refusal(await post(text)), '400 rest_invalid_json', text);
    }
  });

  test('anything but an object: 400 rest_invalid_param', async () => {
    for (const text of ['[]', '[{"scopes":["read"]}]', '"text"', '5', 'true']) {
      assert.equal(refusal(await post(text)), '400 rest_invalid_param', text);
    }
  });

  test('a missing body is an empty one', async () => {
    const reply = await app.call('/keys', { method: 'POST', key: admin });
    assert.equal(reply.status, 201);
  });

  test('missing parameters: 400 rest_missing_callback_param with their names', async () => {
    const reply = await app.call('~/session', { method: 'POST', json: {} });
    assert.equal(refusal(reply), '400 rest_missing_callback_param');
    assert.deepEqual(reply.body.data.params, ['login', 'password']);
    for (const name of ['login', 'password']) assert.ok(reply.body.message.includes(name));
  });

  test('over 1 MiB: 413 rest_payload_too_large, with or without Content-Length', async () => {
    const large = JSON.stringify({ description: 'x'.repeat(1024 * 1024) });
    assert.equal(refusal(await post(large)), '413 rest_payload_too_large');
    const headers = {
      Authorization: `Bearer ${admin}`,
      'X-Forwarded-Proto': 'https',
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    };
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const chunked = requestText('POST /svc/v2/keys', headers) + chunk.repeat(17) + '0\r\n\r\n';
    assert.match(await exchange(app.url, chunked), /^HTTP\/1\.1 413 .*rest_payload_too_large/s);
  });

  test('exactly 1 MiB is accepted', async () => {
    const frame = JSON.stringify({ description: '' }).length;
    const json = JSON.stringify({ description: 'x'.repeat(1024 * 1024 - frame) });
    assert.equal(refusal(await post(json)), '400 rest_invalid_param');
  });

  test('nested too deeply: 400 rest_invalid_json', async () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    for (const depth of [33, 100_000, 500_000]) {
      assert.equal(refusal(await post(nested(depth))), '400 rest_invalid_json', String(depth));
    }
    assert.equal((await post(nested(32))).status, 201, '32 levels are accepted');
  });

  test('another content type: 415', async () => {
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/xml', 'x']) {
      const reply = await post('{}', { 'content-type': type });
      assert.equal(refusal(reply), '415 rest_unsupported_media_type', type);
    }
    const headers = { Authorization: `Bearer ${admin}`, 'X-Forwarded-Proto': 'https' };
    const answer = await exchange(app.url, requestText('POST /svc/v2/keys', headers, '{}'));
    assert.match(answer, /^HTTP\/1\.1 415 /, 'no content type');
  });

  test('unusual characters are preserved, and NUL is refused', async () => {
    for (const description of ['\u202e', '💥', "'; drop table users; --", '\uFEFF', '\u2028']) {
      const { status, body } = await post({ description });
      assert.equal(status, 201, JSON.stringify(description));
      assert.equal(body.description, description);
    }
    for (const path of ['/events?event=%00', '/keys?status=%00', '/events?user_id=%00']) {
      assert.equal(refusal(await app.call(path, { key: admin })), '400 rest_invalid_param', path);
    }
  });

  test('a form may have 2,000 fields, and deeply nested names are refused', async () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=1`).join('&');
    const send = (form: string) => app.call('/keys', { method: 'POST', key: admin, form });
    assert.equal((await send(fields(2_000))).status, 201);
    assert.deepEqual((await send(fields(2_001))).body.data.params, {
      body: 'must not have more than 2000 fields',
    });
    const deep = `scopes${'[a]'.repeat(500)}=1`;
    const reply = await app.call('/keys', { method: 'POST', key: admin, form: deep });
    assert.equal(refusal(reply), '400 rest_invalid_param');
  });
});

describe('a query string', () => {
  const many = Array.from({ length: 1_500 }, (_, i) => `a[${i}]=`).join('&');

  test('is ignored by routes that declare none', async () => {
    assert.equal((await app.call(`/me?${many}`, { key: admin })).status, 200);
  });

  test('is read by routes that declare one, up to 200 fields', async () => {
    assert.deepEqual((await app.call(`/keys?${many}`, { key: admin })).body.data.params, {
      query: 'must not have more than 200 fields',
    });
  });

  test('is read after the rate limit and the credentials are checked', async () => {
    assert.equal((await app.call(`/keys?${many}`)).status, 401);
    await app.set({ 'api.rate_per_minute': 1 });
    const replies = [await app.call(`/keys?${many}`, { key: admin })];
    replies.push(await app.call(`/keys?${many}`, { key: admin }));
    await app.set({ 'api.rate_per_minute': 1_000_000 });
    assert.equal(replies[1]!.status, 429);
  });
});

test('an id of any length is an unknown path, never a 500', async () => {
  for (const length of [50, 101, 1_000, 8_000]) {
    const path = `/keys/${'9'.repeat(length)}`;
    const reply = await app.call(path, { method: 'DELETE', key: admin });
    assert.equal(refusal(reply), '404 rest_no_route', `${length} digits`);
  }
});
