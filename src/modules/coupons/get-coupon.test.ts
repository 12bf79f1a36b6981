import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from './create-coupon.ts';

const app = await openTestApp();
const get = async (id: number | string, login: string, scopes = 'read') =>
  app.call(`/coupons/${id}`, { key: await app.key(login, scopes) });
const make = async (values: Record<string, unknown>) =>
  (await invoke<{ id: number }>(app.site, createCoupon, values)).id;
const mayas = await make({ code: 'MAYA', user_id: idOf('maya') });
const nobodys = await make({ code: 'FREE' });

describe('GET /coupons/{id}', () => {
  describe('200', () => {
    test('admins, managers and the owner get the same record', async () => {
      const replies = await Promise.all(['admin', 'manager', 'maya'].map((who) => get(mayas, who)));
      for (const { status, body } of replies) {
        assert.equal(status, 200);
        assert.equal(body.id, mayas);
        assert.equal(body.user.login, 'maya');
        assert.equal(body.referral_url, `${app.site.publicUrl}/r/MAYA`);
        assert.deepEqual(body, replies[0]!.body);
      }
    });

    test('admins can read an unassigned coupon', async () => {
      const { body } = await get(nobodys, 'admin');
      assert.equal(body.user_id, null);
      assert.equal(body.user, null);
    });

    test("the record shows the store's current percentage", async () => {
      await app.set({ 'commission.percent': 12.5 });
      assert.equal((await get(mayas, 'maya')).body.commission.percent, 12.5);
    });
  });

  describe('403', () => {
    test('a key without the read scope is refused', async () => {
      assert.equal(refusal(await get(mayas, 'maya', 'write')), '403 svc_api_insufficient_scope');
    });
  });

  describe('404', () => {
    test("another affiliate's, an unassigned and an unknown coupon get identical responses", async () => {
      const unknown = await get(999_999, 'tomas');
      assert.equal(refusal(unknown), '404 svc_api_not_found');
      for (const id of [mayas, nobodys]) {
        for (const login of ['tomas', 'carla']) {
          assert.equal((await get(id, login)).text, unknown.text);
        }
      }
      assert.equal((await get(999_999, 'admin')).text, unknown.text);
    });
  });
});
