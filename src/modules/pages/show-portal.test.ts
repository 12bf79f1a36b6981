import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { entryOf } from '../web/index.ts';

const app = await openTestApp();
const { script } = entryOf('portal');

describe('GET /app', () => {
  test('303: without a session the way leads to the sign-in page and back', async () => {
    for (const [path, next] of [
      ['/app', '/app'],
      ['/app/money', '/app/money'],
      ['/app/money?payout=7', '/app/money?payout=7'],
    ] as const) {
      const { status, headers } = await app.call(`~${path}`);
      assert.equal(status, 303);
      assert.equal(headers.get('location'), `/app/login?next=${encodeURIComponent(next)}`);
    }
  });

  test('200: with a session, a page without anything about a person', async () => {
    const { cookie } = await app.signIn('maya');
    const { status, text, headers } = await app.call('~/app', { headers: { cookie } });
    assert.equal(status, 200);
    assert.match(headers.get('content-security-policy')!, /^default-src 'self';/);
    assert.doesNotMatch(headers.get('content-security-policy')!, /unsafe/);
    assert.match(text, new RegExp(`src="/app/files/${script}"`));
    assert.doesNotMatch(text, /maya|Maya/);
  });

  test('the language is that of the link, of the last choice, of the browser, or of the site', async () => {
    const { cookie } = await app.signIn('maya');
    const noScript: Record<string, RegExp> = {
      en: /needs JavaScript/,
      de: /benötigt JavaScript/,
      es: /necesita JavaScript/,
      fr: /nécessite JavaScript/,
      pt: /precisa de JavaScript/,
    };
    const languageOf = async (path: string, headers: Record<string, string> = {}) => {
      const { text } = await app.call(`~${path}`, {
        headers: { cookie, 'accept-language': '', ...headers },
      });
      const [, language] = /<html lang="(\w+)"/.exec(text)!;
      assert.match(text, noScript[language!]!);
      return language;
    };
    const browser = { 'accept-language': 'nl, pt-BR;q=0.4, fr-CH;q=0.9, en;q=0.1' };
    const chosen = { cookie: `${cookie}; __Host-tributary_language=es` };
    assert.equal(await languageOf('/app'), 'en');
    assert.equal(await languageOf('/app', browser), 'fr');
    assert.equal(await languageOf('/app', { ...browser, ...chosen }), 'es');
    assert.equal(await languageOf('/app?lang=de', { ...browser, ...chosen }), 'de');
    assert.equal(await languageOf('/app?lang=xx', browser), 'fr');
    await app.set({ 'site.language': 'pt' });
    assert.equal(await languageOf('/app', { 'accept-language': 'nl' }), 'pt');
    await app.set({ 'site.language': 'en' });
  });

  test('404: a screen that does not exist', async () => {
    assert.equal((await app.call('~/app/nothing')).status, 404);
  });

  test('404: everything of it, while the web app is off', async () => {
    await app.set({ 'web.enabled': false });
    for (const path of ['/app', '/app/money', `/app/files/${script}`]) {
      assert.equal((await app.call(`~${path}`)).status, 404, path);
    }
    await app.set({ 'web.enabled': true });
    assert.equal((await app.call('~/app')).status, 303);
  });
});
