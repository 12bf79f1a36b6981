import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from '../coupons/index.ts';

const app = await openTestApp();
const get = async (id: number | string, login: string, scopes = 'read') =>
  app.call(`/affiliates/${id}`, { key: await app.key(login, scopes) });
const give = (login: string, code: string) =>
  invoke<{ id: number }>(app.site, createCoupon, { code, user_id: idOf(login) });

describe('GET /affiliates/{id}', () => {
  describe('200', () => {
    test('admins and the affiliate read the record; unset fields have their defaults', async () => {
      const { id } = await give('maya', 'MAYA');
      const { status, body } = await get(idOf('maya'), 'maya');
      assert.equal(status, 200);
      const { coupons, date_registered, ...rest } = body;
      assert.equal(coupons[0].id, id);
      assert.deepEqual(coupons[0].stats, {
        orders_count: 0,
        total_sales: 0,
        total_discount: 0,
        total_shipping: 0,
        total_commission: 0,
        upline_commission: 0,
        last_refreshed: null,
      });
      assert.match(date_registered, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.deepEqual(rest, {
        id: idOf('maya'),
        user: { id: idOf('maya'), display_name: 'maya', login: 'maya', email: 'maya@test.example' },
        status: 'active',
        unpaid_commission: 0,
        pending_order_commission: 0,
        pending_payout_commission: 0,
        paid_commission: 0,
        profile: { phone: '', website: '', promote: '', referrer: '', custom_fields: {} },
        groups: [],
        mla_parents: {},
      });
      for (const login of ['admin', 'manager']) {
        assert.deepEqual((await get(idOf('maya'), login)).body, body);
      }
    });

    test('a customer is an affiliate from its first coupon on', async () => {
      assert.equal(refusal(await get(idOf('carla'), 'carla')), '404 svc_api_not_found');
      await give('carla', 'CARLA');
      assert.equal((await get(idOf('carla'), 'carla')).status, 200);
    });
  });

  describe('403', () => {
    test('a key without the read scope is refused', async () => {
      const reply = await get(idOf('maya'), 'maya', 'write');
      assert.equal(refusal(reply), '403 svc_api_insufficient_scope');
    });
  });

  describe('404', () => {
    test('another affiliate, a user who is not an affiliate and an unknown id get identical responses', async () => {
      const unknown = await get(999_999, 'tomas');
      assert.equal(refusal(unknown), '404 svc_api_not_found');
      assert.equal((await get(idOf('maya'), 'tomas')).text, unknown.text);
      assert.equal((await get(idOf('admin'), 'tomas')).text, unknown.text);
      assert.equal((await get(idOf('admin'), 'admin')).text, unknown.text);
    });
  });
});
