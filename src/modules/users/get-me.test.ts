import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, people, refusal } from '../../../test/harness.ts';

const app = await openTestApp();
const me = async (options: Parameters<typeof app.call>[1]) => app.call('/me', options);

describe('GET /me', () => {
  describe('200', () => {
    test('the caller with its role, access and key', async () => {
      const { id, token } = await app.keyRecord('maya', 'write,read');
      const { status, body } = await me({ key: token });
      assert.equal(status, 200);
      assert.deepEqual(body, {
        user: { id: idOf('maya'), display_name: 'maya', login: 'maya', email: 'maya@test.example' },
        role: 'affiliate',
        access: 'affiliate',
        is_admin: false,
        is_affiliate: true,
        auth: { method: 'api_key', key_id: id, scopes: ['read', 'write'] },
        coupons: [],
        api_version: '2.0.0',
      });
    });

    const accesses: Record<string, string> = {
      administrator: 'admin',
      manager: 'admin',
      affiliate: 'affiliate',
      customer: 'user',
    };
    for (const { login, role } of people) {
      test(`${login}: role ${role}, access ${accesses[role]}`, async () => {
        const { body } = await me({ key: await app.key(login, 'read') });
        assert.equal(body.user.id, idOf(login));
        assert.equal(body.role, role);
        assert.equal(body.access, accesses[role]);
        assert.equal(body.is_admin, accesses[role] === 'admin');
        assert.equal(body.is_affiliate, role === 'affiliate');
      });
    }

    test('no scope is needed', async () => {
      const { status, body } = await me({ key: await app.key('maya', 'manage') });
      assert.equal(status, 200);
      assert.deepEqual(body.auth.scopes, ['manage']);
      assert.deepEqual(body.coupons, [], 'coupons need the scope read');
    });

    test('an application password carries no scopes', async () => {
      const { body } = await me({ basic: await app.basic('maya') });
      assert.deepEqual(body.auth, { method: 'application_password', key_id: null, scopes: null });
    });

    test('a session carries no scopes', async () => {
      const { body } = await me({ session: await app.signIn('carla') });
      assert.deepEqual(body.auth, { method: 'session', key_id: null, scopes: null });
      assert.equal(body.user.login, 'carla');
    });
  });

  describe('401', () => {
    test('without credentials', async () => {
      const reply = await me({});
      assert.equal(refusal(reply), '401 svc_api_unauthorized');
      assert.ok(reply.headers.get('www-authenticate'));
    });
  });
});
