import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';

const app = await openTestApp();
const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

describe('a refusal outside the APIs', () => {
  test('is a page for a browser: what happened, a way out, and what to quote', async () => {
    const { status, headers, text } = await app.call('~/nowhere', { headers: browser });
    assert.equal(status, 404);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(headers.get('content-security-policy')!, /default-src 'none'.*style-src 'self'/);
    assert.match(text, /<h1>Page not found<\/h1>/);
    assert.match(text, /<a class="button" href="\/">/);
    assert.ok(text.includes('rest_no_route'));
    assert.ok(text.includes(headers.get('x-request-id')!));
  });

  test('is in the language of the reader: the last choice, then that of the browser, then English', async () => {
    const titles: [cookie: string, accepted: string, language: string, title: string][] = [
      ['', 'de-AT,de;q=0.9,en;q=0.8', 'de', 'Seite nicht gefunden'],
      ['tributary_language=fr', 'de', 'fr', 'Page introuvable'],
      ['tributary_language=xx', 'ja,pt-BR;q=0.5', 'pt', 'Página não encontrada'],
      ['', 'ja', 'en', 'Page not found'],
    ];
    for (const [cookie, accepted, language, title] of titles) {
      const { headers, text } = await app.call('~/nowhere', {
        headers: { ...browser, cookie, 'accept-language': accepted },
      });
      assert.match(text, new RegExp(`<html lang="${language}">[^]*<h1>${title}</h1>`));
      assert.equal(headers.get('content-language'), language);
    }
  });

  test('is JSON for a program', async () => {
    for (const accept of ['*/*', 'application/json']) {
      const { status, body } = await app.call('~/nowhere', { headers: { accept } });
      assert.equal(status, 404);
      assert.equal(body.code, 'rest_no_route');
    }
  });

  test('shows no part of the address', async () => {
    const { text } = await app.call('~/%3Cscript%3E', { headers: browser });
    assert.ok(!/script/i.test(text));
  });

  test('keeps its headers: how to sign in', async () => {
    await app.set({ 'api.openapi_public': false });
    const { status, headers, text } = await app.call('~/docs', { headers: browser });
    await app.set({ 'api.openapi_public': true });
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate')!, /^Bearer/);
    assert.match(text, /<h1>Please sign in<\/h1>/);
  });
});

describe('a refusal of the APIs', () => {
  test('is JSON, also for a browser', async () => {
    for (const path of ['/nowhere', '/svc/nowhere', '/me']) {
      const { headers, body } = await app.call(path, { headers: browser });
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.ok(body.code);
    }
  });
});
