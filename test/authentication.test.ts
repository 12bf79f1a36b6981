import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invoke } from '../src/kernel/call/invoke.ts';
import { revokeKey } from '../src/modules/keys/revoke-key.ts';
import { makeToken } from '../src/modules/keys/token.ts';
import {
  createApplicationPassword,
  revokeApplicationPassword,
} from '../src/modules/passwords/application-password.ts';
import { eventually } from './support/eventually.ts';
import { idOf, openTestApp, refusal, type CallOptions } from './support/harness.ts';
import { openSecondProcess } from './support/second-process.ts';
import { statementsOf } from './support/statements.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
let address = 0;

/** Each call has a different address, so that failures never add up to a lock-out. */
const call = (path: string, options: CallOptions = {}) => {
  address += 1;
  const forwarded = { 'x-forwarded-for': `10.1.${address >> 8}.${address & 255}` };
  return app.call(path, { ...options, headers: { ...forwarded, ...options.headers } });
};
const whoIs = async (options: CallOptions) => (await call('/me', options)).body.user?.login;
const inEitherHeader = (key: string): Record<string, string>[] => [
  { authorization: `Bearer ${key}` },
  { 'x-svc-api-key': key },
];
const authorization = (value: string): CallOptions => ({ headers: { authorization: value } });

/** A key with a valid format and checksum that was never created. */
const unknownKey = makeToken();

describe('an API key', () => {
  test('is accepted as Authorization: Bearer, ignoring case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ', 'bearer  ']) {
      assert.equal(await whoIs(authorization(`${scheme} ${admin}`)), 'admin', scheme);
    }
  });

  test('is accepted as X-Svc-API-Key', async () => {
    assert.equal(await whoIs({ headers: { 'x-svc-api-key': admin } }), 'admin');
  });

  test('is 401 svc_api_https_required over plain HTTP, valid or not, in either header', async () => {
    for (const key of [admin, unknownKey, 'rubbish']) {
      for (const headers of inEitherHeader(key)) {
        for (const path of ['/me', '/openapi']) {
          const reply = await call(path, { headers, secure: false });
          assert.equal(refusal(reply), '401 svc_api_https_required');
        }
      }
    }
  });

  describe('that is invalid is 401 svc_api_invalid_key, never anonymous access', () => {
    const flipped = admin.slice(0, -1) + (admin.endsWith('x') ? 'y' : 'x');
    for (const [why, key] of [
      ['unknown', unknownKey],
      ['with a wrong checksum', flipped],
      ['with an extra character', `${admin}x`],
      ['in the wrong case', admin.toLowerCase()],
      ['rubbish', 'rubbish'],
      ['empty', ''],
      ['very long', `svc_${'x'.repeat(8_000)}`],
    ] as const) {
      test(why, async () => {
        for (const path of ['/me', '/openapi', '/svc/store/v1/openapi']) {
          for (const headers of inEitherHeader(key)) {
            assert.equal(refusal(await call(path, { headers })), '401 svc_api_invalid_key', path);
          }
        }
      });
    }

    test('a revoked key', async () => {
      const { id, token } = await app.keyRecord('maya', 'read');
      await invoke(app.site, revokeKey, { id });
      for (const path of ['/me', '/openapi']) {
        assert.equal(refusal(await call(path, { key: token })), '401 svc_api_invalid_key');
      }
    });

    test('an expired key', async () => {
      const { token: key } = await app.expiredKey('maya', 'read');
      for (const path of ['/me', '/openapi']) {
        assert.equal(refusal(await call(path, { key })), '401 svc_api_invalid_key');
      }
    });

    test('an invalid key together with a valid session', async () => {
      const session = await app.signIn('admin');
      assert.equal(refusal(await call('/me', { session, key: 'bad' })), '401 svc_api_invalid_key');
    });
  });

  test('with a wrong checksum is refused without a database query', async () => {
    const wrong = unknownKey.slice(0, -1) + (unknownKey.endsWith('0') ? '1' : '0');
    const database = app.site.database;
    assert.equal(await statementsOf(database, () => call('/me', { key: wrong })), 0);
    assert.equal(await statementsOf(database, () => call('/me', { key: 'rubbish' })), 0);
    assert.equal(await statementsOf(database, () => call('/me', { key: unknownKey })), 1);
  });

  test('costs no statement once it is cached', async () => {
    const key = await app.key('maya', 'read');
    // This route runs no statements of its own.
    assert.equal(await statementsOf(app.site.database, () => call('/openapi', { key })), 0);
  });

  test('expires at the end of its last day', async () => {
    const key = await app.key('maya', 'read', { expires: '2098-05-20' });
    const untilMidnight = Date.parse('2098-05-21T00:00:00Z') - app.site.clock();
    app.advance(untilMidnight - 5_000);
    assert.equal(await whoIs({ key }), 'maya');
    app.advance(5_000);
    assert.equal(refusal(await call('/me', { key })), '401 svc_api_invalid_key');
    app.advance(-untilMidnight);
    assert.equal(await whoIs({ key }), 'maya');
  });

  describe('is 403 svc_api_key_wrong_namespace outside the namespaces', () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/docs'],
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', '/metrics'],
      ['GET', '/session'],
      ['POST', '/session'],
      ['DELETE', '/session'],
      ['GET', '/setup'],
      ['POST', '/setup'],
    ] as const) {
      test(`${method} ${path}, valid or not, in either header, over HTTP and HTTPS`, async () => {
        for (const key of [admin, unknownKey, '']) {
          for (const headers of inEitherHeader(key)) {
            for (const secure of [true, false]) {
              const reply = await call(`~${path}`, { method, headers, secure });
              assert.equal(refusal(reply), '403 svc_api_key_wrong_namespace');
            }
          }
        }
      });
    }
  });
});

describe('an application password', () => {
  test('has 24 letters and digits in groups of four', async () => {
    const [, password] = (await app.basic('maya')).split(':');
    assert.match(password!, /^([0-9A-Za-z]{4} ){5}[0-9A-Za-z]{4}$/);
  });

  test('is accepted with the login or the email address, ignoring case', async () => {
    const [, password] = (await app.basic('maya')).split(':');
    for (const name of ['maya', 'MAYA', 'maya@test.example', 'Maya@TEST.example']) {
      assert.equal(await whoIs({ basic: `${name}:${password}` }), 'maya', name);
    }
  });

  test('may contain spaces, which are ignored', async () => {
    const [, password] = (await app.basic('maya')).split(':');
    for (const form of [
      password!.replaceAll(' ', ''),
      ` ${password} `,
      password!.replace(' ', '  '),
    ]) {
      assert.equal(await whoIs({ basic: `maya:${form}` }), 'maya', form);
    }
  });

  test('is 401 svc_api_https_required over plain HTTP', async () => {
    const reply = await call('/me', { basic: await app.basic('maya'), secure: false });
    assert.equal(refusal(reply), '401 svc_api_https_required');
  });

  describe('that a browser adds to a request of another site is 403 svc_api_cross_site', () => {
    const changes: [string, CallOptions][] = [
      ['/keys', { method: 'POST', json: {} }],
      ['/keys/999999', { method: 'DELETE' }],
      ['/svc/store/v1/settings', { method: 'PATCH', json: {} }],
      ['/reports/summary?refresh=true', {}],
    ];
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'made-up' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ];
    const own: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin', origin: app.url },
      { 'sec-fetch-site': 'none' },
      { origin: app.url },
      { origin: app.site.publicUrl },
    ];

    for (const [path, options] of changes) {
      test(`${options.method ?? 'GET'} ${path}`, async () => {
        const basic = await app.basic('admin');
        for (const headers of foreign) {
          const reply = await call(path, { ...options, basic, headers });
          assert.equal(refusal(reply), '403 svc_api_cross_site', JSON.stringify(headers));
        }
        for (const headers of own) {
          const { status, text } = await call(path, { ...options, basic, headers });
          assert.notEqual(status, 403, text);
        }
      });
    }

    test('reads and API keys are not refused, because no browser adds a key on its own', async () => {
      const basic = await app.basic('admin');
      const key = await app.key('admin', 'manage');
      for (const headers of foreign) {
        assert.equal((await call('/me', { basic, headers })).status, 200);
        const made = await call('/keys', { method: 'POST', json: {}, key, headers });
        assert.equal(made.status, 201);
      }
    });
  });

  test('is refused as soon as it is revoked', async () => {
    const { id, password } = await createApplicationPassword(app.site, idOf('maya'), '');
    const basic = `maya:${password}`;
    assert.equal(await whoIs({ basic }), 'maya');
    await revokeApplicationPassword(app.site, id);
    assert.equal(refusal(await call('/me', { basic })), '401 svc_api_unauthorized');
  });

  test('that is invalid is 401 svc_api_unauthorized, never anonymous access', async () => {
    const [, password] = (await app.basic('maya')).split(':');
    for (const basic of [
      `tomas:${password}`,
      `maya:${password!.toUpperCase()}`,
      `maya:${password}x`,
      'maya:',
      'maya:correct horse battery',
      `:${password}`,
      ':',
      'maya',
      '',
      '\u0000:\u0000',
    ]) {
      for (const path of ['/me', '/openapi']) {
        assert.equal(refusal(await call(path, { basic })), '401 svc_api_unauthorized', basic);
      }
    }
  });

  test('that is not Base64 is invalid', async () => {
    for (const value of ['Basic', 'Basic ', 'Basic !!!', 'Basic bWF5YQ==']) {
      const reply = await call('/openapi', authorization(value));
      assert.equal(refusal(reply), '401 svc_api_unauthorized', value);
    }
  });
});

describe('any other Authorization', () => {
  for (const value of [
    'Digest username="admin"',
    'Token abc',
    'Negotiate',
    'svc_abc',
    'Bearerx y',
  ]) {
    test(`${value} is 401 svc_api_unauthorized, on public routes as well`, async () => {
      for (const path of ['/me', '/openapi']) {
        assert.equal(refusal(await call(path, authorization(value))), '401 svc_api_unauthorized');
      }
    });
  }
});

describe('a credential that another process revokes', () => {
  test('is refused by this process', async () => {
    const other = await openSecondProcess(app);
    const { id, token } = await app.keyRecord('maya', 'read');
    const { id: passwordId, password } = await createApplicationPassword(
      app.site,
      idOf('maya'),
      '',
    );
    const basic = `maya:${password}`;
    assert.equal(await whoIs({ key: token }), 'maya');
    assert.equal(await whoIs({ basic }), 'maya');
    await invoke(other, revokeKey, { id });
    await revokeApplicationPassword(other, passwordId);
    await eventually(async () => {
      assert.equal(refusal(await call('/me', { key: token })), '401 svc_api_invalid_key');
      assert.equal(refusal(await call('/me', { basic })), '401 svc_api_unauthorized');
    });
  });
});
