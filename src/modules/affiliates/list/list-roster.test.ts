import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { statementsOf } from '../../../../bench/recorded.ts';
import { idOf, openTestApp, refusal } from '../../../../test/support/harness.ts';
import { postgresPlan } from '../../../../test/support/postgres-plan.ts';
import { invoke } from '../../../kernel/call/invoke.ts';
import { createCoupon } from '../../coupons/index.ts';
import { createGroup } from '../../groups/index.ts';
import { createAffiliate } from '../index.ts';
import { listRosterIds } from './roster-rows.ts';

/** No job runs: a read brings up to date what it shows. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const STORE = '/svc/store/v1';
const list = (query = '') => app.call(`${STORE}/affiliates${query}`, { key: admin });
const send = (method: string, path: string, json: unknown) =>
  app.call(`${STORE}${path}`, { method, key: admin, json });
const logins = async (query = '') => {
  const reply = await list(query);
  assert.equal(reply.status, 200, reply.text);
  assert.equal(reply.headers.get('x-svc-total'), String(reply.body.length), query);
  return reply.body.map((affiliate: any) => affiliate.user.login);
};
const entryOf = async (login: string) =>
  (await list('?per_page=100')).body.find((entry: any) => entry.user.login === login);

await invoke(app.site, createGroup, { name: 'Gold' });
const zoe = await invoke<{ id: number }>(app.site, createAffiliate, {
  login: 'zoe',
  email: 'Zoe@Shop.example',
  display_name: 'Zoë Müller 100%',
  groups: ['gold'],
});
const coupon = await invoke<{ id: number }>(app.site, createCoupon, {
  code: 'MAYA-10',
  user_id: idOf('maya'),
});
await invoke(app.site, createCoupon, { code: 'Sömmer', user_id: zoe.id });

const order = (order_id: number, total: number, codes: string[], status = 'completed') => ({
  order_id,
  date: `2026-03-0${(order_id % 9) + 1}T10:00:00`,
  status,
  subtotal: total,
  total,
  coupon_codes: codes,
});

describe('GET /svc/store/v1/affiliates', () => {
  test('each filter and search finds its affiliates, alone and together', async () => {
    await send('PUT', `/affiliates/${zoe.id}/tags`, { tags: ['VIP', 'travel'] });
    await send('PUT', `/affiliates/${idOf('maya')}/tags`, { tags: ['vip'] });
    await send('PATCH', `/affiliates/${idOf('tomas')}`, { status: 'suspended' });
    for (const [query, expected] of [
      ['?sort=name', ['maya', 'tomas', 'zoe']],
      ['?sort=-name', ['zoe', 'tomas', 'maya']],
      ['?sort=created', ['maya', 'tomas', 'zoe']],
      ['?status=suspended', ['tomas']],
      ['?group=GOLD', ['zoe']],
      ['?group=Silver', []],
      ['?tag=vip&sort=name', ['maya', 'zoe']],
      ['?tag=none', []],
      ['?search=may', ['maya']],
      ['?search=10', ['maya', 'zoe']],
      ['?search=maya-1', ['maya']],
      ['?search=S%C3%96MM', ['zoe']],
      ['?search=shop.example%20zoe', ['zoe']],
      ['?search=shop.example%20maya', []],
      ['?search=m%C3%BCller&tag=vip&group=gold&status=active', ['zoe']],
      ['?search=%25', ['maya', 'tomas', 'zoe']],
    ] as const) {
      const found = await logins(query);
      assert.deepEqual(query.includes('sort') ? found : found.sort(), expected, query);
    }
    assert.equal(refusal(await list('?sort=weight')), '400 rest_invalid_param');
    const page = await list('?sort=name&per_page=1&page=2');
    assert.equal(page.body[0].user.login, 'tomas');
    assert.equal(page.headers.get('x-svc-totalpages'), '3');
  });

  if (app.site.database.dialect.name === 'postgresql') {
    test('PostgreSQL looks up the affiliates of a common word one by one', async () => {
      const { database } = app.site;
      const wanted = { sort: '-sales', total: 1_000_000, limit: 2, offset: 0 } as const;
      const [ids] = await statementsOf(async () => {
        await listRosterIds(database.read, { term1: 'example' }, wanted);
      });
      const plan = await postgresPlan(database, ids!);
      assert.match(plan, /SubPlan/);
      assert.doesNotMatch(plan, / Join|hashed SubPlan/);
    });
  }

  test('a change of an order, a click, a coupon or a name is in the next list', async () => {
    await send('POST', '/orders/batch', {
      orders: [order(1, 200, ['MAYA-10']), order(2, 50.25, ['sömmer'])],
    });
    await send('POST', '/clicks', { code: 'MAYA-10', date: '2026-03-01T09:00:00' });
    const maya = await entryOf('maya');
    assert.deepEqual(maya, {
      id: idOf('maya'),
      user: maya.user,
      status: 'active',
      date_registered: maya.date_registered,
      groups: [],
      tags: ['VIP'],
      coupons: [{ id: coupon.id, code: 'MAYA-10', status: 'active' }],
      orders_count: 1,
      total_sales: 200,
      total_commission: 20,
      unpaid_commission: 20,
      clicks: 1,
      last_order: '2026-03-02T10:00:00',
    });
    assert.deepEqual(await logins('?sort=-sales'), ['maya', 'zoe', 'tomas']);
    assert.deepEqual(await logins('?sort=last_order'), ['tomas', 'maya', 'zoe']);

    await send('POST', `/coupons/${coupon.id}/adjustments`, { amount: -5, note: 'Returned' });
    assert.equal((await entryOf('maya')).unpaid_commission, 15);
    await send('PATCH', `/coupons/${coupon.id}`, { user_id: zoe.id, move_balance: true });
    assert.deepEqual([(await entryOf('maya')).clicks, (await entryOf('zoe')).clicks], [1, 0]);
    assert.deepEqual(await logins('?search=maya'), ['zoe', 'maya']);
    // A part of the order of 200 was taken back, so that it stays.
    assert.equal((await entryOf('zoe')).total_sales, 50.25);
    const extra = await send('POST', '/coupons', { code: 'EXTRA', user_id: zoe.id });
    assert.deepEqual(await logins('?search=extra'), ['zoe']);
    await app.call(`${STORE}/coupons/${extra.body.id}`, { method: 'DELETE', key: admin });
    assert.deepEqual(await logins('?search=extra'), []);
    await send('PATCH', `/affiliates/${zoe.id}`, { display_name: 'Ana' });
    assert.deepEqual(await logins('?search=m%C3%BCller'), []);
    assert.deepEqual(await logins('?sort=name'), ['zoe', 'maya', 'tomas']);
  });

  test('after many concurrent changes every sum is that of the statistics and of the ledger', async () => {
    const people = await Promise.all(
      ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map((login) =>
        invoke<{ id: number }>(app.site, createAffiliate, {
          login,
          email: `${login}@test.example`,
        }),
      ),
    );
    const coupons: { id: number; code: string }[] = [];
    for (const [i, { id }] of people.entries()) {
      for (const suffix of ['A', 'B']) {
        const code = `P${i}${suffix}`;
        coupons.push(await invoke(app.site, createCoupon, { code, user_id: id }));
      }
    }
    let seed = 20_260_301;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const any = () => coupons[random(coupons.length)]!;
    const acts = [
      () =>
        send('PUT', `/orders/${1_000 + random(60)}`, {
          ...order(0, random(20_000) / 100, [any().code, any().code]),
          order_id: undefined,
          status: ['completed', 'processing', 'cancelled'][random(3)],
        }),
      () => send('POST', '/clicks', { code: any().code, campaign: `c${random(3)}` }),
      () =>
        send('POST', `/coupons/${any().id}/adjustments`, {
          amount: (random(900) + 1) / 100,
          note: 'Bonus',
        }),
      () =>
        send('PATCH', `/coupons/${any().id}`, {
          user_id: people[random(people.length)]!.id,
          move_balance: true,
        }),
      () => list(`?sort=-sales&search=p${random(9)}`),
    ];
    for (let round = 0; round < 12; round++) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => acts[random(acts.length)]!()),
      );
      for (const reply of replies) assert.ok(reply.status < 300, reply.text);
    }
    const entries = (await list('?per_page=100&sort=name')).body;
    const listed = (await app.call('/affiliates?per_page=100', { key: admin })).body;
    for (const entry of entries) {
      const { totals: stats } = (await app.call(`/affiliates/${entry.id}/stats`, { key: admin }))
        .body;
      const own = listed.find(({ id }: { id: number }) => id === entry.id);
      assert.deepEqual(
        [entry.orders_count, entry.total_sales, entry.total_commission, entry.unpaid_commission],
        [stats.orders_count, stats.total_sales, stats.total_commission, own.unpaid_commission],
        entry.user.login,
      );
    }
    const clicks = entries.reduce((sum: number, entry: any) => sum + entry.clicks, 0);
    const { body: all } = await app.call('/clicks/stats?from=2026-01-01&to=2036-01-01', {
      key: admin,
    });
    assert.equal(clicks, all.clicks);
    const verified = await app.call(`${STORE}/ledger/verify`, { key: admin });
    assert.deepEqual(verified.body.differences, []);
  });
});
