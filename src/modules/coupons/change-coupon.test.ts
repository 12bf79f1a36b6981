import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from './create-coupon.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const change = (id: number, json: unknown) =>
  app.call(`/svc/store/v1/coupons/${id}`, { method: 'PATCH', key: admin, json });
const make = async (values: Record<string, unknown> = {}) =>
  (
    await invoke<{ id: number }>(app.site, createCoupon, {
      code: 'C',
      user_id: idOf('maya'),
      ...values,
    })
  ).id;
const lastEvent = async () => (await app.call('/events?per_page=1', { key: admin })).body[0];

describe('PATCH /svc/store/v1/coupons/{id}', () => {
  describe('200', () => {
    test('the rates can be set and removed', async () => {
      const id = await make({ percent_override: 5, fixed_per_product: 1 });
      const { status, body } = await change(id, {
        percent_override: null,
        fixed_per_order: 2.25,
        fixed_per_product: '',
      });
      assert.equal(status, 200);
      assert.deepEqual(body.commission, {
        percent: 10,
        percent_override: null,
        fixed_per_order: 2.25,
        fixed_per_product: null,
      });
    });

    test('sending a record back as it was read changes nothing', async () => {
      const id = await make({ percent_override: 5, fixed_per_order: 0 });
      const { body } = await app.call(`/coupons/${id}`, { key: admin });
      const { percent, ...rates } = body.commission;
      assert.equal(percent, 5);
      assert.deepEqual(rates, { percent_override: 5, fixed_per_order: 0, fixed_per_product: null });
      const head = await feedHead(app.site);
      const reply = await change(id, rates);
      assert.deepEqual([reply.status, reply.body.commission], [200, body.commission]);
      assert.equal(await feedHead(app.site), head);
    });

    test('a coupon belongs to its new affiliate immediately', async () => {
      const id = await make();
      const { body } = await change(id, { user_id: idOf('tomas') });
      assert.equal(body.user.login, 'tomas');
      const status = async (login: string) =>
        (await app.call(`/coupons/${id}`, { key: await app.key(login, 'read') })).status;
      assert.equal(await status('tomas'), 200);
      assert.equal(await status('maya'), 404);
    });

    test('a coupon can be taken from its affiliate', async () => {
      const id = await make();
      const { body } = await change(id, { user_id: null });
      assert.equal(body.user_id, null);
      assert.equal(body.user, null);
    });

    test('a coupon can be disabled and activated again', async () => {
      const id = await make();
      assert.equal((await change(id, { status: 'disabled' })).body.status, 'disabled');
      assert.equal((await change(id, { status: 'active' })).body.status, 'active');
    });

    test('coupon.updated contains the names of the changed fields', async () => {
      const id = await make({ percent_override: 5 });
      await change(id, { percent_override: 6, status: 'disabled', user_id: idOf('maya') });
      const event = await lastEvent();
      assert.equal(event.event, 'coupon.updated');
      assert.equal(event.object_id, id);
      assert.deepEqual(event.data, {
        coupon_id: id,
        user_id: idOf('maya'),
        changed: ['status', 'percent_override'],
      });
    });

    test('a request that changes nothing emits no event', async () => {
      const id = await make({ percent_override: 5 });
      const head = await feedHead(app.site);
      for (const json of [{}, { percent_override: '5.0' }, { status: 'active' }]) {
        assert.equal((await change(id, json)).status, 200);
      }
      assert.equal(await feedHead(app.site), head);
    });
  });

  describe('400', () => {
    test('an unknown user is svc_api_invalid_user, and nothing changes', async () => {
      const id = await make();
      const reply = await change(id, { user_id: 99, status: 'disabled' });
      assert.equal(refusal(reply), '400 svc_api_invalid_user');
      const { body } = await app.call(`/coupons/${id}`, { key: admin });
      assert.equal(body.status, 'active');
    });

    test('every faulty parameter is named', async () => {
      const reply = await change(1, { user_id: 0, status: 'gone', percent_override: -1 });
      assert.deepEqual(Object.keys(reply.body.data.params), [
        'user_id',
        'status',
        'percent_override',
      ]);
    });
  });

  describe('404', () => {
    test('an unknown coupon is not found', async () => {
      assert.equal(refusal(await change(999_999, {})), '404 svc_api_not_found');
    });
  });
});
