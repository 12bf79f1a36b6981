import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freeEdition } from '../../../src/edition-free.ts';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { createAffiliate } from '../../../src/modules/affiliates/index.ts';
import { releaseHeld } from '../../../src/modules/orders/resettle/release-held.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';

/** A line of four, each with a coupon of its own code: top > high > middle > low. */
async function openLine(settings: Record<string, unknown> = {}) {
  const app = await openTestApp({ settings });
  const admin = await app.key('admin', 'read,write,manage');
  const line: { id: number; coupon: number; key: string }[] = [];
  for (const login of ['top', 'high', 'middle', 'low']) {
    const made = await invoke<any>(app.site, createAffiliate, {
      login,
      email: `${login}@line.example`,
      parent_id: line.at(-1)?.id,
      coupon: { code: login },
    });
    const key = await app.call('/keys', { method: 'POST', key: admin, json: { user_id: made.id } });
    line.push({ id: made.id, coupon: made.coupons[0].id, key: key.body.token });
  }
  const [top, high, middle, low] = line as [(typeof line)[0], ...typeof line];
  const order = async (json: object, id = 1) => {
    const whole = { date: '2026-03-03T10:00:00', coupon_codes: ['low'], status: 'completed' };
    const reply = await app.call(`${STORE}/orders/${id}`, {
      method: 'PUT',
      key: admin,
      json: { subtotal: 200, total: 200, ...whole, ...json },
    });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const balances = async () =>
    Promise.all(
      line.map(async ({ coupon }) => {
        const { body } = await app.call(`/coupons/${coupon}`, { key: admin });
        return [body.unpaid_commission, body.pending_order_commission];
      }),
    );
  const told = async () => {
    const { body } = await app.call('/events?after=0&event=commission&per_page=100', {
      key: admin,
    });
    return body.map((e: any) => `${e.event} ${e.data.amount} to ${e.data.user_id}`);
  };
  const verify = async () => {
    const { body } = await app.call(`${STORE}/ledger/verify`, { key: admin });
    assert.deepEqual(body.differences, []);
  };
  return {
    app,
    admin,
    top,
    high: high!,
    middle: middle!,
    low: low!,
    order,
    balances,
    told,
    verify,
  };
}

describe('commission for the upline', () => {
  test("percentages of the order's base on their own coupons, with events", async () => {
    const { order, balances, told, verify, ...line } = await openLine();
    await order({});
    assert.deepEqual(await balances(), [
      [2, 0],
      [4, 0],
      [10, 0],
      [20, 0],
    ]);
    assert.deepEqual(await told(), [
      `commission.added 20 to ${line.low.id}`,
      `commission.mla_added 10 to ${line.middle.id}`,
      `commission.mla_added 4 to ${line.high.id}`,
      `commission.mla_added 2 to ${line.top.id}`,
    ]);
    await verify();
  });

  test('follows the order: is awaiting, granted, reduced by refunds, taken back', async () => {
    const { order, balances, told, verify, ...line } = await openLine();
    await order({ status: 'processing' });
    assert.deepEqual((await balances())[2], [0, 10]);
    await order({ status: 'completed' });
    assert.deepEqual((await balances())[2], [10, 0]);
    await order({ refunds: [{ id: 1, amount: 50 }] });
    assert.deepEqual((await balances())[2], [7.5, 0]);
    await order({ refunds: [{ id: 1, amount: 50 }] });
    await order({ status: 'cancelled' });
    assert.deepEqual(await balances(), [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    const middles = (await told()).filter((text: string) => text.endsWith(`to ${line.middle.id}`));
    assert.deepEqual(middles, [
      `commission.mla_added 10 to ${line.middle.id}`,
      `commission.mla_removed 2.5 to ${line.middle.id}`,
      `commission.mla_removed 7.5 to ${line.middle.id}`,
    ]);
    await verify();
  });

  test('is held as long as the commission itself', async () => {
    const { app, order, balances } = await openLine({ 'commission.delay_days': 3 });
    await order({});
    assert.deepEqual((await balances())[2], [0, 10]);
    app.advance(3 * 24 * 60 * 60_000 + 1_000);
    await releaseHeld.run(app.site);
    assert.deepEqual((await balances())[2], [10, 0]);
  });

  test('an order keeps the rates and parents of the time it was new', async () => {
    const { app, admin, order, balances, ...line } = await openLine();
    await order({});
    await app.set({ 'multilevel.percents': [50, 0.5] });
    const json = { parent_id: null };
    await app.call(`${STORE}/affiliates/${line.middle.id}/parent`, {
      method: 'PUT',
      key: admin,
      json,
    });
    await order({ subtotal: 100, total: 100 });
    assert.deepEqual(
      (await balances()).map(([unpaid]) => unpaid),
      [1, 2, 5, 10],
    );
    await order({}, 2);
    assert.deepEqual(
      (await balances()).map(([unpaid]) => unpaid),
      [1, 2, 105, 30],
    );
  });

  test("an affiliate's own order earns nothing for the upline either", async () => {
    const { order, balances } = await openLine();
    await order({ customer: { email: 'low@line.example' } });
    assert.ok((await balances()).every(([unpaid]) => unpaid === 0));
  });

  test('a suspended affiliate, or one without an active coupon, gets nothing; the others do', async () => {
    const { app, admin, order, balances, ...line } = await openLine();
    const patch = (path: string, json: object) =>
      app.call(`${STORE}${path}`, { method: 'PATCH', key: admin, json });
    await patch(`/affiliates/${line.middle.id}`, { status: 'suspended' });
    await patch(`/coupons/${line.high.coupon}`, { status: 'disabled' });
    await order({});
    assert.deepEqual(
      (await balances()).map(([unpaid]) => unpaid),
      [2, 0, 0, 20],
    );
  });
});

describe('read access of the upline', () => {
  test('coupon, figures and orders, for the parent only', async () => {
    const { app, order, ...line } = await openLine();
    await order({});
    const paths = ['', '/stats', '/orders'].map((end) => `/coupons/${line.low.coupon}${end}`);
    const read = (path: string, key: string) => app.call(path, { key });
    for (const path of paths) {
      assert.equal((await read(path, line.middle.key)).status, 200, path);
      for (const key of [line.high.key, line.top.key, await app.key('maya', 'read')]) {
        const refused = await read(path, key);
        const absent = await read(path.replace(/\d+/, '987654'), key);
        assert.deepEqual([refused.status, refused.text], [404, absent.text]);
      }
    }
    const { body } = await read(paths[0]!, line.middle.key);
    assert.deepEqual(body.user, { id: line.low.id, display_name: 'low' });
  });

  test('not downwards, and not the ledger, the clicks or the affiliate itself', async () => {
    const { app, ...line } = await openLine();
    const refused = [
      [`/coupons/${line.middle.coupon}`, line.low.key],
      [`${STORE}/coupons/${line.low.coupon}/ledger`, line.middle.key],
      [`/clicks/stats?coupon_id=${line.low.coupon}`, line.middle.key],
      [`/affiliates/${line.low.id}`, line.middle.key],
      [`/affiliates/${line.low.id}/stats`, line.middle.key],
    ] as const;
    for (const [path, key] of refused) {
      assert.equal(refusal(await app.call(path, { key })), '404 svc_api_not_found', path);
    }
  });
});

describe('an affiliate above buys with the code of one below', () => {
  test('it earns nothing, and the others what they always earn', async () => {
    const { app, order, balances, verify } = await openLine();
    await order({ customer: { email: 'Middle@line.example' } }, 1);
    assert.deepEqual(
      (await balances()).map(([unpaid]) => unpaid),
      [2, 4, 0, 20],
    );
    // The store's id of the customer is known from that order.
    await order({ customer: { id: 'c-1', email: 'middle@line.example' } }, 2);
    await order({ customer: { id: 'c-1', email: 'other@shop.example' } }, 3);
    assert.deepEqual(
      (await balances()).map(([unpaid]) => unpaid),
      [6, 12, 0, 60],
    );
    // An order is an estimate until it counts.
    await order({ status: 'pending', customer: { email: 'middle@line.example' } }, 5);
    await order({ customer: { email: 'middle@line.example' } }, 5);
    await order({ total: 100, subtotal: 100, customer: { email: 'middle@line.example' } }, 5);
    assert.deepEqual(
      (await balances()).map(([unpaid]) => unpaid),
      [7, 14, 0, 70],
    );
    await app.set({ 'attribution.allow_self': true });
    await order({ customer: { email: 'middle@line.example' } }, 4);
    assert.equal((await balances())[2]![0], 10);
    await verify();
  });
});

describe('switched off, it leaves no trace', () => {
  test('routes, fields, events, settings, shares; they are back when it is on again', async () => {
    const { app, admin, order, balances, ...line } = await openLine();
    await order({});
    await app.set({ 'addons.disabled': ['multilevel'] });

    const put = () =>
      app.call(`${STORE}/affiliates/${line.low.id}/parent`, {
        method: 'PUT',
        key: admin,
        json: { parent_id: null },
      });
    assert.equal(refusal(await put()), '404 rest_no_route');
    const { body } = await app.call(`/affiliates/${line.low.id}`, { key: admin });
    assert.ok(!('mla_parents' in body));
    const reply = await app.call(`/coupons/${line.low.coupon}`, { key: line.middle.key });
    assert.equal(refusal(reply), '404 svc_api_not_found');
    for (const path of ['/openapi', `${STORE}/openapi`, `${STORE}/settings`]) {
      const { text } = await app.call(path, { key: admin });
      assert.doesNotMatch(text, /mla|multilevel\.|parent_id/, path);
    }
    assert.ok(app.site.registry.events().every(({ name }) => !name.includes('mla')));

    const before = await balances();
    await order({}, 2);
    assert.deepEqual((await balances()).slice(0, 3), before.slice(0, 3));

    await app.set({ 'addons.disabled': [] });
    assert.equal((await put()).status, 200);
  });

  test('shares follow their orders while it is off, and are right when it is on again', async () => {
    const { app, admin, order, balances, verify } = await openLine();
    await order({ status: 'processing' }, 1);
    await order({}, 2);
    await order({}, 3);
    assert.deepEqual((await balances())[2], [20, 10]);
    await app.set({ 'addons.disabled': ['multilevel'] });
    await order({}, 1);
    await order({ status: 'refunded' }, 2);
    await order({ refunds: [{ id: 1, amount: 100, date: '2026-03-04' }] }, 3);
    await order({}, 4);
    assert.deepEqual((await balances())[2], [15, 0]);
    await verify();
    await app.set({ 'addons.disabled': [] });
    assert.deepEqual((await balances())[2], [15, 0]);
    await app.site.database.transaction((tx) =>
      tx.execute(
        'update mla_shares set granted = 0, awaiting = 500 where order_id = 3 and tier = 1',
      ),
    );
    const { body } = await app.call(`${STORE}/ledger/verify`, { key: admin });
    assert.deepEqual(
      body.differences.map(({ from, pool, stored, recomputed }: any) => [
        from,
        pool,
        stored,
        recomputed,
      ]),
      [
        ['shares', 'awaiting', 5, 0],
        ['shares', 'unpaid', 0, 5],
      ],
    );
  });

  test('the free edition never had it', async () => {
    const app = await openTestApp({ config: { edition: 'free' } });
    const reply = await app.call(`${STORE}/affiliates/${idOf('maya')}/parent`, {
      method: 'PUT',
      key: await app.key('admin', 'write'),
      json: { parent_id: null },
    });
    assert.equal(refusal(reply), '404 rest_no_route');
    assert.ok(freeEdition.every(({ addon }) => !addon));
  });
});
