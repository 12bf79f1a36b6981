import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Operation } from '../src/kernel/declare/operation.ts';
import { idOf, openTestApp, refusal } from './support/harness.ts';

/**
 * All routes with a range of days have the same rules. The test finds the routes in the registry, so it
 * covers new ones without a change.
 */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

const coupon = await app.call(`${STORE}/coupons`, {
  method: 'POST',
  key: admin,
  json: { code: 'RANGE', user_id: idOf('maya') },
});
await app.call(`${STORE}/orders/7`, {
  method: 'PUT',
  key: admin,
  json: { date: '2026-07-01T10:00:00', status: 'completed', total: 100, coupon_codes: ['RANGE'] },
});

const routes = app.site.registry.allOperations().filter(takesDays);

/** The tests of webhooks have a webhook, and test its range. */
function takesDays({ query, url }: Operation): boolean {
  if (url.includes('/webhooks/')) return false;
  return query?.properties['from'] !== undefined && query.properties['to'] !== undefined;
}

/** A path of an existing affiliate or coupon. */
function pathOf({ url }: Operation, id = coupon.body.id): string {
  return url.replace('{id}', String(url.includes('/affiliates/') ? idOf('maya') : id));
}

test('the test finds every route with a range', () => {
  const known = new Set(routes.map(({ switchName }) => switchName));
  for (const name of [
    'get_coupons_id_stats',
    'get_coupons_id_orders',
    'get_affiliates_id_stats',
    'get_payouts',
    'get_clicks_stats',
    'get_reports_summary',
  ]) {
    assert.ok(known.has(name), name);
  }
});

for (const route of routes) {
  describe(`${route.method} ${route.url}`, () => {
    test('400: from after to, for every caller and every route', async () => {
      const keys = [
        ['an admin', admin],
        ['a customer', await app.key('carla', 'read')],
        ['a key without the scope', await app.key('admin', 'manage')],
      ] as const;
      for (const [who, key] of keys) {
        for (const path of [pathOf(route), pathOf(route, 999_999)]) {
          const reply = await app.call(`${path}?from=2026-07-02&to=2026-07-01`, { key });
          assert.equal(refusal(reply), '400 rest_invalid_param', `${who}, ${path}`);
          assert.deepEqual(reply.body.data.params, { from: 'must not be after 2026-07-01' });
        }
      }
    });

    test('400: from after to is reported together with other faults', async () => {
      const extra = Object.hasOwn(route.query!.properties, 'per_page') ? '&per_page=0' : '';
      const reply = await app.call(`${pathOf(route)}?from=2026-07-02&to=2026-07-01${extra}`, {
        key: admin,
      });
      const expected = extra ? ['from', 'per_page'] : ['from'];
      assert.deepEqual(Object.keys(reply.body.data.params).sort(), expected);
    });

    test('200: from after today without to is an empty range', async () => {
      const reply = await app.call(`${pathOf(route)}?from=2999-01-01`, { key: admin });
      assert.equal(reply.status, 200, reply.text);
      if (Array.isArray(reply.body)) {
        assert.deepEqual(reply.body, []);
        if (route.query!.properties['per_page']) {
          assert.equal(reply.headers.get('x-svc-total'), '0');
        }
        return;
      }
      // A list with a cursor does not repeat its range.
      if (reply.body.items) return assert.deepEqual(reply.body.items, []);
      // The tests of a file compare its text.
      if (route.contentType !== undefined) return;
      const items = reply.body.points ?? reply.body.lines ?? reply.body.rows;
      const { period = reply.body } = reply.body;
      const sums = reply.body.totals ?? period.figures ?? reply.body;
      if (items) assert.deepEqual(items, []);
      else assert.equal(sums.orders_count ?? sums.clicks, 0);
      const today = app.site.calendar.dayOf(app.site.clock());
      assert.deepEqual([period.from, period.to], ['2999-01-01', today]);
    });

    test('200: a range may be one day or have only one end', async () => {
      for (const range of ['from=2026-07-01&to=2026-07-01', 'from=2026-07-01', 'to=2999-01-01']) {
        const reply = await app.call(`${pathOf(route)}?${range}`, { key: admin });
        assert.equal(reply.status, 200, `${range}: ${reply.text}`);
      }
    });
  });
}
