import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findConnection } from '../connections/connection-rows.ts';
import { findConnector } from '../connectors/connectors.ts';
import { StoreApp } from '../test/store-app.ts';
import { checkMapping, storeOrders, type ReadyOrder } from './store-orders.ts';

const stores = await StoreApp.open();
const { site } = stores.app;
await stores.coupon('MAYA10');

test('an order that is seen again as it was stored is confirmed: a version from in between does not replace it', async () => {
  const { id } = await stores.connect({ kind: 'http' });
  const connection = (await findConnection(site.database.read, id))!;
  const connected = { site, connection, connector: findConnector(site, connection.kind)! };
  const startMs = site.clock();
  const date = site.calendar.toLocal(startMs);

  /** Stores the order with this total, as the store had it at that second. */
  async function store(total: number, second: number) {
    const order = {
      external_id: 'A-1',
      status: 'completed' as const,
      date,
      date_modified: date,
      subtotal: total,
      total,
      coupon_codes: ['MAYA10'],
      discount: 0,
      shipping: 0,
      tax: 0,
      fees: 0,
      items: [],
      refunds: [],
    };
    const observedAtMs = startMs + second * 1_000;
    const checked = checkMapping(connected, {
      mapping: { result: 'order', order },
      observedAtMs,
      isRead: false,
    });
    assert.equal(checked.result, 'order');
    const [stored] = await site.database.transaction((tx) =>
      storeOrders(tx, connected, [checked as ReadyOrder]),
    );
    return stored!;
  }

  const { orderId, isChanged } = await store(100, 1);
  assert.ok(isChanged);
  assert.equal((await store(100, 3)).isChanged, false, 'the same again, seen later');
  assert.equal((await store(50, 2)).isChanged, false, 'seen before the confirmation');
  assert.equal((await stores.get(`/orders/${orderId}`)).body.total, 100);
  assert.equal((await store(70, 4)).isChanged, true, 'seen after it');
});
