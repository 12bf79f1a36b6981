import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

const path = '/svc/store/v1/mail-server';

describe('GET /mail-server', () => {
  test('200: without a server', async () => {
    const app = await openTestApp();
    const { status, body } = await app.call(path, { key: await app.key('admin', 'manage') });
    assert.equal(status, 200);
    assert.deepEqual(body, { configured: false, from: '' });
  });

  test('200: with a server; its password and its host are not in the answer', async () => {
    const smtpUrl = 'smtp://user:secret@127.0.0.1:9';
    const app = await openTestApp({ config: { smtpUrl, mailFrom: 'program@store.example' } });
    const { body, text } = await app.call(path, { key: await app.key('manager', 'manage') });
    assert.deepEqual(body, { configured: true, from: 'program@store.example' });
    assert.doesNotMatch(text, /secret|127\.0\.0\.1/);
  });

  test('403: an affiliate, and a key that only reads', async () => {
    const app = await openTestApp();
    const affiliate = await app.key('maya', 'manage');
    assert.equal(refusal(await app.call(path, { key: affiliate })), '403 svc_api_forbidden');
    const reader = await app.key('admin', 'read');
    assert.match(refusal(await app.call(path, { key: reader })), /^403 /);
  });
});
