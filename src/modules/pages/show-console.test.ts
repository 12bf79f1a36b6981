import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { entryOf } from '../web/index.ts';

const app = await openTestApp();
const { script, screens, words } = entryOf('console');

describe('GET /console', () => {
  test('303: without a session the way leads to the sign-in page and back', async () => {
    for (const path of ['/console', '/console/orders?q=1042', '/console/affiliates/7?tab=notes']) {
      const { status, headers } = await app.call(`~${path}`);
      assert.equal(status, 303);
      assert.equal(headers.get('location'), `/app/login?next=${encodeURIComponent(path)}`);
    }
  });

  test('200: with a session, with the files of the screen and nothing about a person', async () => {
    const { cookie } = await app.signIn('admin');
    const reply = await app.call('~/console', { headers: { cookie } });
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-security-policy')!, /^default-src 'self';/);
    assert.match(reply.text, new RegExp(`src="/app/files/${script}"`));
    for (const file of screens!['overview']!) assert.ok(reply.text.includes(file), file);
    assert.doesNotMatch(reply.text, /admin@/);
  });

  test('200: in the language of the browser, with its words, and in English for one that there is not', async () => {
    const { cookie } = await app.signIn('admin');
    for (const [wanted, shown] of [
      ['de', 'de'],
      ['es', 'es'],
      ['fr', 'fr'],
      ['nl', 'en'],
    ] as const) {
      const headers = { cookie, 'accept-language': wanted };
      const { text } = await app.call('~/console', { headers });
      assert.match(text, new RegExp(`<html lang="${shown}">`));
      assert.ok(text.includes(words![shown]!), 'the chunk with the words');
    }
  });

  test('308: a slash at the end is left out', async () => {
    for (const [path, location] of [
      ['/console/', '/console'],
      ['/console/orders/?q=1042', '/console/orders?q=1042'],
      ['/app/', '/app'],
      ['//other.example/', null],
      ['/svc/v2/me/', null],
    ] as const) {
      const { status, headers } = await app.call(`~${path}`);
      assert.equal(headers.get('location'), location);
      assert.equal(status, location === null ? 404 : 308, path);
    }
  });

  test('404: a screen that does not exist', async () => {
    for (const path of ['/console/nothing', '/console/nothing/1', '/console/orders/1/more']) {
      assert.equal((await app.call(`~${path}`)).status, 404, path);
    }
  });
});
