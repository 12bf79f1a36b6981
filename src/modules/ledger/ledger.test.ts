import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const reader = await app.key('admin', 'read');
const maya = await app.key('maya', 'read');
const tomas = await app.key('tomas', 'read');
const STORE = '/svc/store/v1';

let made = 0;
async function newCoupon(): Promise<number> {
  const json = { code: `LEDGER${++made}`, user_id: idOf('maya') };
  return (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json })).body.id;
}

const adjust = (id: number, json: unknown, key = admin) =>
  app.call(`${STORE}/coupons/${id}/adjustments`, { method: 'POST', key, json });
const ledger = (id: number, query = '', key = maya) =>
  app.call(`${STORE}/coupons/${id}/ledger${query}`, { key });
const verify = async () => (await app.call(`${STORE}/ledger/verify`, { key: reader })).body;
const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));
const newest = async () => (await app.call('/events?per_page=1', { key: admin })).body[0];

describe('POST /coupons/{id}/adjustments', () => {
  describe('201', () => {
    test('adds or removes commission, also below zero, and emits an event', async () => {
      const id = await newCoupon();
      const added = await adjust(id, { amount: 12.34, note: 'Thanks' });
      assert.equal(added.status, 201);
      assert.equal(added.body.balances.unpaid_commission, 12.34);
      assert.equal(added.body.amount, 12.34);
      assert.equal((await newest()).event, 'commission.added');
      const taken = await adjust(id, { amount: -20, note: 'Mistake' });
      assert.equal(taken.body.balances.unpaid_commission, -7.66);
      assert.equal(taken.body.amount, -20);
      const event = await newest();
      assert.equal(event.event, 'commission.removed');
      assert.deepEqual(event.data, {
        coupon_id: id,
        user_id: idOf('maya'),
        order_id: null,
        amount: 20,
        currency: 'USD',
        note: 'Mistake',
      });
    });

    test('32 concurrent changes add up', async () => {
      const id = await newCoupon();
      await Promise.all(Array.from({ length: 32 }, () => adjust(id, { amount: 0.01, note: 'x' })));
      const { body } = await app.call(`/coupons/${id}`, { key: admin });
      assert.equal(body.unpaid_commission, 0.32);
      assert.equal((await verify()).ok, true);
    });
  });

  describe('400', () => {
    for (const json of [
      { amount: 0, note: 'x' },
      { amount: 0.001, note: 'x' },
      { amount: 1e15, note: 'x' },
      { amount: '1', note: 'x' },
      { amount: 1, note: '' },
    ]) {
      test(JSON.stringify(json), async () => {
        const id = await newCoupon();
        assert.equal(refusal(await adjust(id, json)), '400 rest_invalid_param');
        assert.equal((await ledger(id)).body.length, 0);
      });
    }
  });

  test('404: no such coupon', async () => {
    assert.equal(refusal(await adjust(999_999, { amount: 1, note: 'x' })), '404 svc_api_not_found');
  });
});

describe('GET /coupons/{id}/ledger', () => {
  test('200: the ledger, newest first, with running balances', async () => {
    const id = await newCoupon();
    await adjust(id, { amount: 1, note: 'first' });
    await adjust(id, { amount: 2, note: 'second' });
    const { body, headers } = await ledger(id, '?per_page=1');
    assert.equal(headers.get('x-svc-total'), '2');
    assert.deepEqual(
      [body[0].note, body[0].from, body[0].to, body[0].amount, body[0].balances.unpaid_commission],
      ['second', 'earned', 'unpaid', 2, 3],
    );
  });

  test('200: amounts carry their sign, and add up to the balances', async () => {
    const id = await newCoupon();
    const code = (await app.call(`/coupons/${id}`, { key: admin })).body.code;
    const put = (status: string) =>
      app.call(`${STORE}/orders/1`, {
        method: 'PUT',
        key: admin,
        json: { date: '2026-03-29T12:00:00', status, total: 90, coupon_codes: [code] },
      });
    await adjust(id, { amount: -20, note: 'less' });
    for (const status of ['processing', 'completed', 'cancelled']) await put(status);
    const { body } = await ledger(id);
    assert.deepEqual(
      body.map((entry: any) => [entry.from, entry.to, entry.amount]),
      [
        ['earned', 'unpaid', -9],
        ['awaiting', 'unpaid', 9],
        ['earned', 'awaiting', 9],
        ['earned', 'unpaid', -20],
      ],
    );
    const unpaid = body.reduce((sum: number, { from, to, amount }: any) => {
      return sum + (to === 'unpaid' ? amount : 0) - (from === 'unpaid' ? amount : 0);
    }, 0);
    assert.equal(unpaid, body[0].balances.unpaid_commission);
  });

  test("404: another affiliate's coupon", async () => {
    const id = await newCoupon();
    assert.equal(refusal(await ledger(id, '', tomas)), '404 svc_api_not_found');
  });
});

describe('the ledger', () => {
  test('is append-only in the database', async () => {
    const id = await newCoupon();
    await adjust(id, { amount: 1, note: 'x' });
    await assert.rejects(execute('update ledger set amount = 2'), /append-only/);
    await assert.rejects(execute('delete from ledger'), /append-only/);
    assert.equal((await ledger(id)).body.length, 1);
  });

  test('GET /ledger/verify finds a balance that does not agree', async () => {
    const id = await newCoupon();
    await adjust(id, { amount: 5, note: 'x' });
    assert.equal((await verify()).ok, true);
    await execute(`update coupons set unpaid = unpaid + 1, paid = 300 where id = ${id}`);
    const { ok, differences } = await verify();
    assert.equal(ok, false);
    const of = { coupon_id: id, affiliate_id: idOf('maya'), payout_id: null };
    assert.deepEqual(differences, [
      { ...of, pool: 'unpaid', stored: 5.01, recomputed: 5, from: 'ledger' },
      { ...of, pool: 'paid', stored: 3, recomputed: 0, from: 'ledger' },
      { ...of, pool: 'paid', stored: 3, recomputed: 0, from: 'payouts' },
    ]);
    await execute(`update coupons set unpaid = unpaid - 1, paid = 0 where id = ${id}`);
  });

  test('verify checks more coupons than one piece has', async () => {
    const values = Array.from({ length: 450 }, (_, i) => `('V${i}', 'v${i}', 'active', 0)`).join();
    await execute(`insert into coupons (code, code_folded, status, created_at) values ${values}`);
    const { ok, coupons } = await verify();
    assert.equal(ok, true);
    assert.ok(coupons > 450);
  });

  test('verify of a coupon with very many entries lets other requests run, and runs once for all', async () => {
    const id = await newCoupon();
    const ENTRIES = 20_000;
    await execute(
      `with recursive row(n) as (select 1 union all select n + 1 from row where n < ${ENTRIES})
       insert into ledger (coupon_id, owner_id, from_pool, to_pool, amount, kind, user_id, note, created_at,
         unpaid_after, awaiting_after, pending_payout_after, paid_after)
       select ${id}, ${idOf('maya')}, 'external', 'unpaid', 1, 'adjustment', 1, '', 0, n, 0, 0, 0 from row`,
    );
    await execute(`update coupons set unpaid = ${ENTRIES} where id = ${id}`);
    const { database } = app.site;
    const { snapshot } = database;
    const seen = { runs: 0, isDone: false, answered: 0 };
    database.snapshot = (work) => {
      seen.runs += 1;
      return snapshot.call(database, work) as ReturnType<typeof work>;
    };
    try {
      const all = Promise.all(Array.from({ length: 6 }, verify)).finally(
        () => (seen.isDone = true),
      );
      // Wait until it has begun, then count what is answered before it ends.
      while (seen.runs === 0) await app.call('~/healthz');
      while (!seen.isDone) {
        await app.call('~/healthz');
        seen.answered += 1;
      }
      const [first, ...others] = await all;
      assert.equal(first.ok, true);
      assert.ok(first.entries >= ENTRIES);
      for (const other of others) assert.deepEqual(other, first);
      assert.ok(seen.answered >= 3, `${seen.answered} answered`);
      assert.equal(seen.runs, 1);
      assert.equal((await verify()).ok, true);
      assert.equal(seen.runs, 2, 'a later request gets a new run');
    } finally {
      database.snapshot = snapshot;
    }
  });
});
