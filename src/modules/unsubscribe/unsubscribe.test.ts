import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { unsubscribeUrl } from '../mail/unsubscribe-token.ts';
import { findUserByName } from '../users/index.ts';

test('a POST without a session unsubscribes, and a GET only asks', async () => {
  const app = await openTestApp();
  const maya = async () => (await findUserByName(app.site.database.read, 'maya'))!;
  const { id: userId } = await maya();
  const url = unsubscribeUrl(app.site, { userId, notice: 'earned', source: 'test-1' });
  const path = `~${new URL(url).pathname}`;
  const post = (to: string, headers = {}) =>
    app.call(to, { method: 'POST', form: 'List-Unsubscribe=One-Click', headers });

  const asked = await app.call(path);
  assert.equal(asked.status, 200);
  assert.match(asked.text, /<form[^>]+method="post"/);
  assert.equal((await maya()).muted_notices, '');

  const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
  for (const headers of [{}, multipart]) {
    const done = await post(path, headers);
    assert.deepEqual([done.status, done.headers.get('location')], [200, null], 'no redirect');
    assert.equal((await maya()).muted_notices, 'earned');
  }

  const forged = path.replace('.earned.', '.cases.');
  for (const other of [forged, `${path}x`, '~/unsubscribe/7', path.replace(`/${userId}.`, '/1.')]) {
    assert.deepEqual([(await app.call(other)).status, (await post(other)).status], [404, 404]);
  }
  assert.equal((await maya()).muted_notices, 'earned');
});
