import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,manage');
const manager = await app.key('manager', 'manage');
const revoke = (id: number | string, key = admin) =>
  app.call(`/keys/${id}`, { method: 'DELETE', key });

describe('DELETE /keys/{id}', () => {
  describe('200', () => {
    test('the key is refused from the next request on', async () => {
      const { id, token } = await app.keyRecord('maya', 'read');
      assert.equal((await app.call('/me', { key: token })).status, 200);
      const { status, body } = await revoke(id);
      assert.equal(status, 200);
      assert.deepEqual(body, { revoked: true });
      assert.equal(refusal(await app.call('/me', { key: token })), '401 svc_api_invalid_key');
    });

    test('other keys stay valid', async () => {
      const { id } = await app.keyRecord('maya', 'read');
      const other = await app.key('maya', 'read');
      await revoke(id);
      assert.equal((await app.call('/me', { key: other })).status, 200);
    });

    test('the key stays in the list as revoked', async () => {
      const { id } = await app.keyRecord('maya', 'read');
      await revoke(id);
      const [key] = (await app.call('/keys?status=revoked&per_page=1', { key: admin })).body;
      assert.equal(key.id, id);
      assert.equal(key.status, 'revoked');
    });

    test('key.revoked contains ids', async () => {
      const { id } = await app.keyRecord('tomas', 'read');
      await revoke(id);
      const [event] = (await app.call('/events?per_page=1', { key: admin })).body;
      assert.equal(event.event, 'key.revoked');
      assert.equal(event.object_id, id);
      assert.equal(event.user_id, idOf('admin'));
      assert.deepEqual(event.data, { key_id: id, user_id: idOf('tomas') });
    });

    test('revoking again has the same response and emits no second event', async () => {
      const { id } = await app.keyRecord('maya', 'read');
      await revoke(id);
      const head = await feedHead(app.site);
      const again = await revoke(id);
      assert.equal(again.status, 200);
      assert.deepEqual(again.body, { revoked: true });
      assert.equal(await feedHead(app.site), head);
    });

    test('ten concurrent requests get the same response and emit one event', async () => {
      const { id } = await app.keyRecord('maya', 'read');
      const head = await feedHead(app.site);
      const replies = await Promise.all(Array.from({ length: 10 }, () => revoke(id)));
      for (const reply of replies) assert.deepEqual(reply.body, { revoked: true });
      assert.equal(await feedHead(app.site), head + 1);
    });

    test('an expired key can be revoked', async () => {
      const { id } = await app.expiredKey('maya', 'read');
      assert.deepEqual((await revoke(id)).body, { revoked: true });
    });

    test('a key may revoke itself', async () => {
      const { id, token } = await app.keyRecord('admin', 'manage');
      assert.equal((await revoke(id, token)).status, 200);
      assert.equal(refusal(await revoke(id, token)), '401 svc_api_invalid_key');
    });

    test('a manager may revoke its own keys and those of affiliates', async () => {
      for (const login of ['manager', 'maya']) {
        const { id } = await app.keyRecord(login, 'read');
        assert.equal((await revoke(id, manager)).status, 200, login);
      }
    });
  });

  describe('403', () => {
    test("a manager may not manage an administrator's keys", async () => {
      const { id, token } = await app.keyRecord('admin', 'read');
      const head = await feedHead(app.site);
      assert.equal(refusal(await revoke(id, manager)), '403 svc_api_cannot_manage_key');
      assert.equal((await app.call('/me', { key: token })).status, 200, 'and it goes on working');
      assert.equal(await feedHead(app.site), head);
    });

    test("a manager may not revoke an administrator's key that is already revoked", async () => {
      const { id } = await app.keyRecord('admin', 'read');
      await revoke(id);
      assert.equal(refusal(await revoke(id, manager)), '403 svc_api_cannot_manage_key');
    });

    test('an affiliate may not revoke its own key', async () => {
      const { id, token } = await app.keyRecord('maya', 'manage');
      assert.equal(refusal(await revoke(id, token)), '403 svc_api_forbidden');
    });
  });

  describe('404', () => {
    test('an unknown key is not found', async () => {
      assert.equal(refusal(await revoke(999_999)), '404 svc_api_not_found');
      assert.equal(refusal(await revoke(999_999, manager)), '404 svc_api_not_found');
    });
  });
});
