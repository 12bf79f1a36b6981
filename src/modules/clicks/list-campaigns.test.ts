import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const json = { code: 'MAYA10', user_id: idOf('maya') };
const { body: coupon } = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });

test('GET /coupons/{id}/campaigns: most clicks first, only of the own coupon, and within the range', async () => {
  const clicks = ['mail', 'mail', '', 'video', 'video', 'video'].map((campaign) => ({
    coupon_id: coupon.id,
    campaign,
  }));
  const sent = { clicks: clicks.map((click) => ({ ...click, date: '2026-03-02T10:00:00' })) };
  const recorded = await app.call(`${STORE}/clicks`, { method: 'POST', key: admin, json: sent });
  assert.ok(recorded.status < 300, recorded.text);
  const path = `${STORE}/coupons/${coupon.id}/campaigns`;
  const { body } = await app.call(path, { key: await app.key('maya', 'read') });
  assert.deepEqual(
    body.map((row: any) => [row.campaign, row.clicks, row.conversions]),
    [
      ['video', 3, 0],
      ['mail', 2, 0],
      ['', 1, 0],
    ],
  );
  const later = await app.call(`${path}?from=2026-03-03`, { key: admin });
  assert.deepEqual(later.body, []);
  assert.equal((await app.call(path, { key: await app.key('tomas', 'read') })).status, 404);
});
