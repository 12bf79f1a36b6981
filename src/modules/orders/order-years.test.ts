import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

/** Years of the site's own time from 1970 to 9999, in zones on both sides of UTC. */
const STORE = '/svc/store/v1';

const ZONES = {
  'Europe/Berlin': {
    good: [
      ['1970-01-01T00:00:00', '1970-01-01T00:00:00'],
      ['1969-12-31T23:00:00Z', '1970-01-01T00:00:00'],
      ['9999-12-31T23:59:59', '9999-12-31T23:59:59'],
      ['9999-12-31T22:59:59Z', '9999-12-31T23:59:59'],
    ],
    bad: [
      '1969-12-31T23:59:59',
      '1969-12-31T22:59:59Z',
      '0000-01-01T00:00:00',
      '9999-12-31T23:00:00Z',
      '9999-12-31T23:59:59-14:00',
    ],
  },
  'America/New_York': {
    good: [
      ['1970-01-01T00:00:00', '1970-01-01T00:00:00'],
      ['1970-01-01T05:00:00Z', '1970-01-01T00:00:00'],
      ['9999-12-31T23:59:59', '9999-12-31T23:59:59'],
      ['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59'],
    ],
    bad: ['1970-01-01T04:59:59Z', '1969-12-31T23:59:59', '0001-01-01', '9999-12-31T23:59:59-06:00'],
  },
} as const;

for (const [timezone, { good, bad }] of Object.entries(ZONES)) {
  describe(timezone, async () => {
    const app = await openTestApp({ config: { timezone } });
    const admin = await app.key('admin', 'read,write,manage');
    const send = (method: string, path: string, json: object) =>
      app.call(STORE + path, { method, key: admin, json });
    const coupon = (await send('POST', '/coupons', { code: 'YEARS', user_id: idOf('maya') })).body;
    const order = (changes: object) => ({
      date: '2026-03-29T12:00:00',
      status: 'completed',
      total: 90,
      coupon_codes: ['YEARS'],
      ...changes,
    });
    const fields: [name: string, json: (date: string) => object][] = [
      ['date', (date) => order({ date })],
      ['date_modified', (date) => order({ date_modified: date })],
      ['refunds[0].date', (date) => order({ refunds: [{ id: 1, amount: 1, date }] })],
    ];
    const listed = async () =>
      (await app.call(`/coupons/${coupon.id}/orders?per_page=100`, { key: admin })).body;
    const clicks = async () =>
      (await app.call(`/clicks/stats?coupon_id=${coupon.id}`, { key: admin })).body.clicks;

    for (const date of bad) {
      test(`${date} is refused, and nothing is stored`, async () => {
        for (const [name, json] of fields) {
          const reply = await send('PUT', '/orders/1', json(date));
          assert.equal(refusal(reply), '400 rest_invalid_param', name);
          assert.deepEqual(Object.keys(reply.body.data.params), [name]);
          const orders = [{ order_id: 1, ...json(date) }];
          const { body } = await send('POST', '/orders/batch', { orders });
          assert.deepEqual(Object.keys(body.results[0].params), [name]);
        }
        const click = await send('POST', '/clicks', { code: 'YEARS', date });
        assert.equal(refusal(click), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(click.body.data.params), ['date']);
        const several = await send('POST', '/clicks', { clicks: [{ code: 'YEARS', date }] });
        assert.deepEqual(Object.keys(several.body.refused[0].params), ['date']);
        const stored = await app.call(`${STORE}/orders/1`, { key: admin });
        assert.equal(refusal(stored), '404 svc_api_not_found');
        assert.equal(await clicks(), 0);
      });
    }

    test('the first and the last second are stored and listed', async () => {
      for (const [i, [date]] of good.entries()) {
        for (const [, json] of fields) {
          const reply = await send('PUT', `/orders/${100 + i}`, json(date));
          assert.ok(reply.status < 300, reply.text);
        }
        assert.ok((await send('PUT', `/orders/${i + 2}`, order({ date }))).status < 300);
        assert.equal((await send('POST', '/clicks', { code: 'YEARS', date })).status, 201);
      }
      const rows = (await listed()).filter((row: any) => row.order_id < 100);
      const local = Object.fromEntries(rows.map((row: any) => [row.order_id, row.date]));
      for (const [i, [, shown]] of good.entries()) assert.equal(local[i + 2], shown);
      assert.equal(await clicks(), good.length);
      const range = '?from=9999-12-31&to=9999-12-31';
      const last = await app.call(`/coupons/${coupon.id}/orders${range}`, { key: admin });
      const expected = good.filter(([, shown]) => shown.startsWith('9999')).length;
      assert.equal(last.body.length, expected);
      const stats = await app.call(`/coupons/${coupon.id}/stats?refresh=true`, { key: admin });
      assert.equal(stats.body.orders_count, good.length * 2);
    });
  });
}
