import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, people, refusal } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from '../coupons/index.ts';

const app = await openTestApp();
const me = async (options: Parameters<typeof app.call>[1]) => app.call('/me', options);

describe('GET /me', () => {
  describe('200', () => {
    test('the response shows the caller with its role, access and key', async () => {
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

    test('a key needs no scope', async () => {
      const { status, body } = await me({ key: await app.key('maya', 'manage') });
      assert.equal(status, 200);
      assert.deepEqual(body.auth.scopes, ['manage']);
      assert.deepEqual(body.coupons, [], 'coupons need the scope read');
    });

    test('an application password has no scopes', async () => {
      const { body } = await me({ basic: await app.basic('maya') });
      assert.deepEqual(body.auth, { method: 'application_password', key_id: null, scopes: null });
    });

    test('a session has no scopes', async () => {
      const { body } = await me({ session: await app.signIn('carla') });
      assert.deepEqual(body.auth, { method: 'session', key_id: null, scopes: null });
      assert.equal(body.user.login, 'carla');
    });
  });

  describe('200, with coupons', () => {
    const give = (login: string, code: string) =>
      invoke<{ id: number }>(app.site, createCoupon, { code, user_id: idOf(login) });

    test("the caller's own coupons are listed, oldest first", async () => {
      const first = await give('tomas', 'TOMAS1');
      const second = await give('tomas', 'TOMAS2');
      const { body } = await me({ key: await app.key('tomas', 'read') });
      assert.deepEqual(
        body.coupons.map((coupon: any) => [coupon.id, coupon.code, coupon.unpaid_commission]),
        [
          [first.id, 'TOMAS1', 0],
          [second.id, 'TOMAS2', 0],
        ],
      );
      assert.deepEqual((await me({ key: await app.key('maya', 'read') })).body.coupons, []);
    });

    test('a key without the read scope gets no coupons; a session needs no scope', async () => {
      assert.deepEqual((await me({ key: await app.key('tomas', 'write') })).body.coupons, []);
      assert.equal((await me({ session: await app.signIn('tomas') })).body.coupons.length, 2);
    });

    test('a customer with a coupon is an affiliate, whatever the scope', async () => {
      await give('carla', 'CARLA');
      for (const scope of ['read', 'manage']) {
        const { body } = await me({ key: await app.key('carla', scope) });
        assert.equal(body.role, 'customer');
        assert.equal(body.access, 'affiliate');
        assert.equal(body.is_affiliate, true);
      }
    });

    test('an admin with a coupon is admin and affiliate', async () => {
      await give('manager', 'BOSS');
      const { body } = await me({ key: await app.key('manager', 'read') });
      assert.equal(body.access, 'admin');
      assert.equal(body.is_admin, true);
      assert.equal(body.is_affiliate, true);
    });

    test('the route runs one statement', async () => {
      const key = await app.key('tomas', 'read');
      await me({ key });
      assert.equal(await statementsOf(app.site.database, () => me({ key })), 1);
    });
  });

  describe('401', () => {
    test('a call without credentials is refused', async () => {
      const reply = await me({});
      assert.equal(refusal(reply), '401 svc_api_unauthorized');
      assert.ok(reply.headers.get('www-authenticate'));
    });
  });
});
