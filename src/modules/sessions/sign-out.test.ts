import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal, type CallOptions } from '../../../test/support/harness.ts';

const app = await openTestApp();
const signOut = (options: CallOptions) => app.call('~/session', { method: 'DELETE', ...options });

describe('DELETE /session', () => {
  describe('200', () => {
    test('the session is over from the next request on', async () => {
      const session = await app.signIn('maya');
      assert.equal((await app.call('/me', { session })).status, 200);
      const { status, body } = await signOut({ session });
      assert.equal(status, 200);
      assert.deepEqual(body, { signed_out: true });
      assert.equal(refusal(await app.call('/me', { session })), '401 svc_api_unauthorized');
    });

    test('the response deletes the cookie', async () => {
      const session = await app.signIn('maya');
      const { headers } = await signOut({ session });
      const [cookie] = headers.getSetCookie();
      assert.match(cookie!, /^__Host-\w+=; /);
      for (const part of ['Max-Age=0', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']) {
        assert.ok(cookie!.split('; ').includes(part), part);
      }
      assert.equal(headers.get('clear-site-data'), '"cache", "storage"');
    });

    test('other sessions of the same person go on', async () => {
      const [one, two] = [await app.signIn('maya'), await app.signIn('maya')];
      await signOut({ session: one });
      assert.equal((await app.call('/me', { session: two })).status, 200);
    });
  });

  describe('401', () => {
    test('an anonymous caller', async () => {
      assert.equal(refusal(await signOut({})), '401 svc_api_unauthorized');
    });

    test('already signed out', async () => {
      const session = await app.signIn('maya');
      await signOut({ session });
      assert.equal(refusal(await signOut({ session })), '401 svc_api_unauthorized');
    });

    test('an application password has no session to end', async () => {
      const basic = await app.basic('maya');
      assert.equal(refusal(await signOut({ basic })), '401 svc_api_unauthorized');
    });
  });

  describe('403', () => {
    test('the CSRF header is required', async () => {
      const session = await app.signIn('maya');
      const bare = { cookie: session.cookie, csrf: undefined };
      assert.equal(refusal(await signOut({ session: bare })), '403 svc_api_csrf_required');
      assert.equal((await app.call('/me', { session })).status, 200);
    });

    test('an API key cannot sign out', async () => {
      const key = await app.key('maya', 'read');
      assert.equal(refusal(await signOut({ key })), '403 svc_api_key_wrong_namespace');
    });
  });
});
