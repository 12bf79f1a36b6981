import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { query } from '../src/db/statements/query.ts';
import { loadEdition } from '../src/edition-pro.ts';
import { defineModule } from '../src/kernel/declare/module.ts';
import { defineSecretSetting } from '../src/kernel/declare/setting.ts';
import { metricsText } from '../src/modules/health/collect-metrics.ts';
import { makeToken } from '../src/modules/keys/token.ts';
import { createSetupLink } from '../src/modules/setup/index.ts';
import { openTestApp, PASSWORD, type CallOptions, type Reply } from './support/harness.ts';
import { exchange, requestText } from './support/raw.ts';
import { storedText } from './support/stored-text.ts';

const proEdition = await loadEdition('pro');

const vault = defineModule({
  name: 'vault',
  summary: 'Has a credential',
  addon: true,
  settings: [defineSecretSetting('vault.code', 'Opens the vault.')],
});
const app = await openTestApp({
  modules: [...proEdition, vault],
  config: { stripeKey: 'canary-configured-credential' },
});
const admin = await app.key('admin', 'read,write,manage');

/** All secrets that must appear nowhere, with a name for each. */
const secrets = new Map<string, string>([
  ["the administrator's key", admin],
  ['a password', PASSWORD],
  ['a made-up key', makeToken()],
  ['a wrong password', 'canary-wrong-password'],
  ['a wrong key', 'svc_canary_wrong_key'],
  ['a wrong cookie', 'canary-wrong-cookie'],
  ['a wrong CSRF token', 'canary-wrong-csrf'],
  ['a short secret', 'hunter-2'],
  ['a credential among the settings', 'canary-stored-credential'],
  ['a credential of the configuration', 'canary-configured-credential'],
]);
const secret = (name: string) => secrets.get(name)!;
const replies: { what: string; text: string }[] = [];

async function call(path: string, options: CallOptions = {}): Promise<Reply> {
  const reply = await app.call(path, options);
  const headers = JSON.stringify([...reply.headers]);
  replies.push({ what: `${options.method ?? 'GET'} ${path}`, text: headers + reply.text });
  return reply;
}

/** The one response that may contain the secret; it is not searched. */
async function handOut(path: string, options: CallOptions): Promise<Reply> {
  const reply = await app.call(path, options);
  assert.ok(reply.status < 300, reply.text);
  return reply;
}

async function handOutSecrets(): Promise<void> {
  const json = { description: 'Till', scopes: ['read', 'manage'] };
  const key = await handOut('/keys', { method: 'POST', key: admin, json });
  secrets.set('a new key', key.body.token);
  const [, password] = (await app.basic('maya')).split(':');
  secrets.set('an application password', password!);
  secrets.set('the same without spaces', password!.replaceAll(' ', ''));
  const login = { login: 'admin', password: PASSWORD };
  const session = await handOut('~/session', { method: 'POST', json: login });
  const cookie = session.headers.getSetCookie()[0]!.split(';')[0]!;
  secrets.set('a session', cookie.split('=')[1]!);
  secrets.set('its CSRF token', session.body.csrf_token);
  const link = new URL(await createSetupLink(app.site));
  secrets.set('a setup token', link.searchParams.get('token')!);
}

async function useThem(): Promise<void> {
  const key = secret('a new key');
  const basic = `maya:${secret('an application password')}`;
  const cookie = `__Host-tributary_session=${secret('a session')}`;
  const session = { cookie, csrf: secret('its CSRF token') };
  for (const options of [{ key }, { headers: { 'x-svc-api-key': key } }, { basic }, { session }]) {
    for (const path of ['/me', '/keys', '/events?per_page=100']) await call(path, options);
  }
  await call('/keys/999', { method: 'DELETE', session });
  await call('/svc/store/v1/settings', { method: 'PATCH', session, json: { 'site.name': 'X' } });
  const credential = { 'vault.code': secret('a credential among the settings') };
  const stored = await call('/svc/store/v1/settings', {
    method: 'PATCH',
    session,
    json: credential,
  });
  assert.equal(stored.status, 200, stored.text);
  await call('/svc/store/v1/settings', { session });
  await call('/svc/store/v1/settings/schema', { session });
}

async function misuseThem(): Promise<void> {
  const wrongSession = {
    cookie: `__Host-tributary_session=${secret('a wrong cookie')}`,
    csrf: secret('a wrong CSRF token'),
  };
  const good = { cookie: `__Host-tributary_session=${secret('a session')}` };
  for (const [index, value] of [...secrets.values()].entries()) {
    const q = encodeURIComponent(value);
    const headers = { 'x-forwarded-for': `192.0.2.${index}` };
    const post = { method: 'POST', key: admin, headers };
    await call(`/keys?token=${q}&status=${q}&page=${q}`, { key: admin });
    await call(`/me?api_key=${q}`, { headers });
    await call(`/keys/${q}`, { method: 'DELETE', key: admin });
    await call('/me', { key: value, secure: false, headers });
    await call('/me', { headers: { ...headers, authorization: `Digest ${value}` } });
    await call('/me', { basic: `admin:${value}`, headers });
    await call('/me', { headers: { ...headers, 'x-svc-api-key': value } });
    await call('/keys', { ...post, json: { scopes: [value], expires: value, user_id: value } });
    await call('/keys', { ...post, json: `{"password":${value}}` });
    await call('/keys', { ...post, json: value });
    await call('/keys', { ...post, form: `user_id=${q}&scopes=${q}` });
    await call('/keys', { ...post, json: value, headers: { ...headers, 'content-type': 'a/b' } });
    await call('/svc/store/v1/settings', {
      ...post,
      method: 'PATCH',
      json: { 'api.rate_per_minute': value, 'site.store_url': value, 'vault.code': `${value} ` },
    });
    const login = { login: 'nobody', password: `${value} ` };
    await call('~/session', { method: 'POST', json: login, headers });
    const setup = new URLSearchParams({ token: 'x', login: 'a', email: 'a@b', password: value });
    await call('~/setup', { method: 'POST', form: setup.toString(), headers });
    const raw = await exchange(app.url, requestText(`GET /${q} ${value}`, { Cookie: value }));
    replies.push({ what: 'bytes that are no request', text: raw });
  }
  await call('/keys', { method: 'POST', session: { ...good, csrf: wrongSession.csrf }, json: {} });
  await call('/me', { session: wrongSession });
  await call(`/nothing/${admin}`, { key: admin });
}

/** Causes an internal error by breaking the database for a moment. */
async function breakInside(): Promise<void> {
  const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));
  await execute('alter table api_keys rename to away');
  const json = { description: secret('a short secret') };
  const failed = [
    await call(`/keys?token=${secret('a wrong password')}`, { key: admin }),
    await call('/keys', { method: 'POST', key: admin, json }),
    await call('/me', {
      key: secret('a made-up key'),
      headers: { 'x-forwarded-for': '192.0.2.99' },
    }),
  ];
  await execute('alter table away rename to api_keys');
  for (const reply of failed) {
    assert.equal(reply.status, 500);
    assert.equal(reply.body.code, 'svc_api_server_error');
    assert.doesNotMatch(reply.text, /api_keys|table|sql|\bat\b.*\.ts/i, 'no internal details');
  }
}

before(async () => {
  await handOutSecrets();
  await useThem();
  await misuseThem();
  await breakInside();
});

function assertNoSecretIn(text: string, where: string): void {
  for (const [name, value] of secrets) {
    for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]) {
      assert.ok(!text.includes(form), `${name} is in ${where}`);
    }
  }
}

describe('a secret is in', () => {
  test('no line of the log at its most verbose level', () => {
    assert.ok(app.logs.length > 200);
    for (const line of app.logs) assertNoSecretIn(line, line);
  });

  test('no other response, whether success or error', () => {
    assert.ok(replies.length > 200);
    for (const { what, text } of replies) assertNoSecretIn(text, `the answer to ${what}: ${text}`);
  });

  test('no event', async () => {
    const all = query<object, object>((db) => db.selectFrom('events').selectAll());
    const rows = await app.site.database.read.all(all, {});
    assert.ok(rows.length > 3);
    assertNoSecretIn(JSON.stringify(rows), 'an event');
  });

  test('no OpenAPI document, page or metric', async () => {
    for (const path of ['/openapi', '/svc/store/v1/openapi', '~/docs', '~/']) {
      assertNoSecretIn((await app.call(path, { secure: false })).text, path);
    }
    assertNoSecretIn(await metricsText(app.site), 'figures');
  });

  test('no file of the installation, and no table', async () => {
    for (const [name, text] of await storedText(app)) assertNoSecretIn(text, name);
  });
});
