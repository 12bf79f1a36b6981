import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { query } from '../../db/statements/query.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createCoupon } from './create-coupon.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const remove = (id: number) =>
  app.call(`/svc/store/v1/coupons/${id}`, { method: 'DELETE', key: admin });
const get = (id: number) => app.call(`/coupons/${id}`, { key: admin });
const make = async () =>
  (await invoke<{ id: number }>(app.site, createCoupon, { code: 'C', user_id: idOf('maya') })).id;
const lastEvent = async () => (await app.call('/events?per_page=1', { key: admin })).body[0];

const click = query<{ coupon_id: number }>((db, p) =>
  db
    .insertInto('clicks')
    .values({ coupon_id: p.coupon_id, campaign: '', clicked_at: 0, day: '2026-01-01' }),
);
const history = {
  clicks: (id: number) => app.site.database.transaction((tx) => tx.run(click, { coupon_id: id })),
  money: async (id: number) => {
    const json = { amount: 5, note: 'Thanks' };
    const path = `/svc/store/v1/coupons/${id}/adjustments`;
    assert.equal((await app.call(path, { method: 'POST', key: admin, json })).status, 201);
  },
};

describe('DELETE /svc/store/v1/coupons/{id}', () => {
  describe('200', () => {
    test('a coupon without a history is deleted', async () => {
      const id = await make();
      const { status, body } = await remove(id);
      assert.equal(status, 200);
      assert.deepEqual(body, { deleted: true });
      assert.equal((await get(id)).status, 404);
      const event = await lastEvent();
      assert.equal(event.event, 'coupon.updated');
      assert.deepEqual(event.data, { coupon_id: id, user_id: idOf('maya'), changed: ['deleted'] });
    });

    test('the id of a deleted coupon is not reused', async () => {
      const id = await make();
      await remove(id);
      assert.ok((await make()) > id);
    });

    for (const [what, give] of Object.entries(history)) {
      test(`a coupon with ${what} is disabled instead, with one event`, async () => {
        const id = await make();
        await give(id);
        assert.deepEqual((await remove(id)).body, { deleted: false });
        assert.equal((await get(id)).body.status, 'disabled');
        assert.deepEqual((await lastEvent()).data.changed, ['status']);
        const head = await feedHead(app.site);
        assert.deepEqual((await remove(id)).body, { deleted: false });
        assert.equal(await feedHead(app.site), head);
      });
    }
  });

  describe('404', () => {
    test('an unknown coupon and a deleted one are not found', async () => {
      assert.equal(refusal(await remove(999_999)), '404 svc_api_not_found');
      const id = await make();
      await remove(id);
      assert.equal(refusal(await remove(id)), '404 svc_api_not_found');
    });
  });
});
