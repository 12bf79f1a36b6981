import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateClient } from '../../scripts/sdk/generate-client.ts';
import { nameOf } from '../../scripts/sdk/names.ts';
import { routes } from '../../sdk/src/generated/routes.ts';
import { Tributary } from '../../sdk/src/index.ts';
import { readAccessList } from '../support/access-list.ts';

const name = (route: string, isList = false) => {
  const [method, path] = route.split(' ');
  return nameOf({ method: method!, namespace: 'store', path: path!, isList });
};

describe('the names of the client', () => {
  test('follow one rule', () => {
    const names: Record<string, string> = {
      'GET /coupons/{id}': 'coupons.get',
      'POST /coupons': 'coupons.create',
      'PUT /orders/{order_id}': 'orders.set',
      'PATCH /coupons/{id}': 'coupons.update',
      'DELETE /coupons/{id}': 'coupons.delete',
      'GET /settings': 'settings.get',
      'GET /coupons/{id}/stats': 'coupons.stats',
      'GET /coupons/{id}/stats/series': 'coupons.stats.series',
      'GET /affiliates/{id}/statement.csv': 'affiliates.statementCsv',
      'PUT /affiliates/{id}/payout-details': 'affiliates.payoutDetails.set',
      'POST /webhooks/{id}/test': 'webhooks.test',
      'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': 'webhooks.deliveries.redeliver',
      'POST /coupons/{id}/adjustments': 'coupons.adjustments.create',
      'DELETE /account/sessions/{id}': 'account.sessions.delete',
      'DELETE /account/sessions': 'account.sessions.deleteAll',
      'DELETE /account/totp': 'account.totp.delete',
    };
    for (const [route, expected] of Object.entries(names)) assert.equal(name(route), expected);
    assert.equal(name('GET /groups', true), 'groups.list');
    assert.equal(name('GET /coupons/{id}/orders', true), 'coupons.orders.list');
  });

  test('are there for every route of both namespaces, one each', async () => {
    const listed = [...readAccessList().keys()].filter((route) => route.includes(' /svc/'));
    const named = Object.values(routes).map((route) => {
      const [method, namespace, path] = route.split(' ');
      return `${method} ${namespace === 'v2' ? '/svc/v2' : '/svc/store/v1'}${path}`;
    });
    assert.deepEqual(named.toSorted(), listed.toSorted());
    // The generator refuses two routes of one name.
    await generateClient();
  });

  test('are methods of the client, also where a method has parts', () => {
    const client = new Tributary({ url: 'https://partners.example' });
    for (const place of Object.keys(routes)) {
      const method = place
        .split('.')
        .reduce((at, part) => (at as Record<string, unknown>)[part], client as unknown);
      assert.equal(typeof method, 'function', place);
    }
  });

  test('refuse an empty argument instead of calling another route', () => {
    const client = new Tributary({ url: 'https://partners.example' });
    // @ts-expect-error An id is a number.
    assert.throws(() => client.coupons.get(''), TypeError);
    // @ts-expect-error An id is needed.
    assert.throws(() => client.coupons.get(), TypeError);
  });
});
