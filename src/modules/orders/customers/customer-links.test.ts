import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import { query } from '../../../db/statements/query.ts';

/** An order may name its customer by the store's id, by an email address, or by both. */
const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const call = (method: string, path: string, json?: unknown) =>
  app.call(STORE + path, { method, key: admin, json });

const newCoupon = async (code: string, login: string) =>
  (await call('POST', '/coupons', { code, user_id: idOf(login) })).body.id as number;
const maya = await newCoupon('MAYA10', 'maya');
const tomas = await newCoupon('TOM5', 'tomas');

let lastOrder = 0;
function orderOf(customer: object, codes: string[]) {
  const order_id = ++lastOrder;
  // Orders of one moment follow each other by their numbers.
  const date = app.site.calendar.toLocal(app.site.clock());
  return { order_id, date, status: 'completed', total: 100, coupon_codes: codes, customer };
}

/** What an order with this customer earns, and for which coupon. */
async function earned(customer: object, codes = ['MAYA10']) {
  const { order_id, ...json } = orderOf(customer, codes);
  const { status, body, text } = await call('PUT', `/orders/${order_id}`, json);
  assert.equal(status, 201, text);
  const [referral] = body.referrals;
  return referral && [referral.coupon_id, referral.commission];
}

async function withRule(rule: object, work: () => Promise<void>): Promise<void> {
  const { body, text } = await call('POST', '/rewards/rules', rule);
  assert.ok(body.id, text);
  await work();
  await call('DELETE', `/rewards/rules/${body.id}`);
}

const links = query<object, { key: string }>((db) => db.selectFrom('customer_links').select('key'));
const customers = query<{ ids: string }, { customer_hash: string | null }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('orders')
      .select('customer_hash')
      .distinct()
      .where(dialect.inJsonArray('order_id', p.ids, 'number')),
);
const customersOf = (ids: readonly number[]) =>
  app.site.database.read.all(customers, { ids: JSON.stringify(ids) });

test('without rules or lifetime that ask for customers, nothing is linked', async () => {
  await earned({ id: 'L-1', email: 'unasked@shop.example' });
  await withRule({ rate: { percent: 12 } }, async () => {
    await earned({ id: 'L-1', email: 'unasked@shop.example' });
  });
  assert.deepEqual(await app.site.database.read.all(links, {}), []);
});

describe('an order with both links the id to the address', () => {
  const first = { order: { customer: 'first' }, rate: { percent: 20 } };

  test('for first orders of a customer', () =>
    withRule(first, async () => {
      const [id, email] = ['F-1', 'first@shop.example'];
      assert.deepEqual(await earned({ id, email }), [maya, 20]);
      assert.deepEqual(await earned({ id }), [maya, 10]);
      assert.deepEqual(await earned({ email }), [maya, 10]);
      assert.deepEqual(await earned({ id: 'F-2' }), [maya, 20]);
    }));

  test('orders so far with the id alone have the same customer', () =>
    withRule(first, async () => {
      const [id, email] = ['G-1', 'later@shop.example'];
      assert.deepEqual(await earned({ id }), [maya, 20]);
      assert.deepEqual(await earned({ id, email }), [maya, 10]);
      assert.deepEqual(await earned({ email }), [maya, 10]);
      const ids = [lastOrder - 2, lastOrder - 1, lastOrder];
      assert.equal((await customersOf(ids)).length, 1);
    }));

  test('also within one batch, whichever comes first', () =>
    withRule(first, async () => {
      const orders = [{ id: 'B-1' }, { id: 'B-1', email: 'b@shop.example' }].map((customer) =>
        orderOf(customer, ['MAYA10']),
      );
      const { body } = await call('POST', '/orders/batch', { orders });
      assert.equal(body.results.length, 2);
      assert.equal((await customersOf(orders.map(({ order_id }) => order_id))).length, 1);
    }));

  test('for limits of a sum', () => {
    const limit = { amount: 15, per: 'customer', window: { kind: 'always' } };
    return withRule({ rate: { percent: 10 }, limit }, async () => {
      const [id, email] = ['S-1', 'sum@shop.example'];
      assert.deepEqual(await earned({ id }), [maya, 10]);
      assert.deepEqual(await earned({ id, email }), [maya, 5]);
      assert.deepEqual(await earned({ email }), [maya, 0]);
      assert.deepEqual(await earned({ id }), [maya, 0]);
    });
  });

  test('for lifetime, with the affiliate who brought the customer first', async () => {
    await app.set({ 'attribution.lifetime': true });
    const [id, email] = ['T-1', 'life@shop.example'];
    assert.equal((await earned({ id }, ['MAYA10']))[0], maya);
    app.advance(60_000);
    assert.equal((await earned({ email }, ['TOM5']))[0], tomas);
    app.advance(60_000);
    // The order with both joins them.
    assert.equal((await earned({ id, email }, []))[0], maya);
    assert.equal((await earned({ email }, []))[0], maya);
    assert.equal((await earned({ id }, []))[0], maya);
    await app.set({ 'attribution.lifetime': false });
  });

  test('guests, whose id is 0, stay apart', () =>
    withRule(first, async () => {
      assert.deepEqual(await earned({ id: 0, email: 'guest1@shop.example' }), [maya, 20]);
      assert.deepEqual(await earned({ id: 0, email: 'guest2@shop.example' }), [maya, 20]);
      const ids = [lastOrder - 1, lastOrder];
      assert.equal((await customersOf(ids)).length, 2);
    }));

  test('an order that is sent again keeps its customer, also when nothing asks any more', async () => {
    await withRule(first, async () => {
      await earned({ id: 'K-1', email: 'keeps@shop.example' });
      await earned({ id: 'K-1' });
    });
    const ids = [lastOrder - 1, lastOrder];
    const again = { ...orderOf({ id: 'K-1' }, ['MAYA10']), status: 'refunded' };
    const { order_id: _, ...json } = again;
    await call('PUT', `/orders/${ids[1]}`, json);
    assert.equal((await customersOf(ids)).length, 1);
  });

  test('orders of one customer at the same moment have one customer', () =>
    withRule(first, async () => {
      for (let i = 0; i < 10; i++) {
        const [id, email] = [`R-${i}`, `race${i}@shop.example`];
        const before = lastOrder;
        await Promise.all([
          earned({ id }),
          earned({ id, email }),
          earned({ id }),
          earned({ email }),
        ]);
        const ids = Array.from({ length: 4 }, (_, n) => before + 1 + n);
        assert.equal((await customersOf(ids)).length, 1);
      }
    }));
});

test('an own order is recognized by the id of the store, once that came with the own address', async () => {
  const own = { id: 'OWN-1', email: 'maya@test.example' };
  assert.deepEqual(await earned({ id: 'OWN-1' }), [maya, 10]);
  assert.deepEqual(await earned(own), [maya, 0]);
  assert.deepEqual(await earned({ id: 'OWN-1' }), [maya, 0]);
  assert.deepEqual(await earned({ id: 'OWN-1' }, ['TOM5']), [tomas, 10]);
});
