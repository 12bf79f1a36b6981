import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkBonuses } from '../src/modules/bonuses/check-bonuses.ts';
import { releaseHeld } from '../src/modules/orders/resettle/release-held.ts';
import { idOf, refusal } from './support/harness.ts';
import { openPayoutApp, STORE } from './support/payouts.ts';

const maya = idOf('maya');
const tomas = idOf('tomas');
const DAY_MS = 24 * 60 * 60_000;

/** A coupon of Maya with which customers order; Tomas gets it later. */
async function openStore(settings: Record<string, unknown> = {}) {
  const payouts = await openPayoutApp({ settings });
  const { app, admin } = payouts;
  const other = { account_holder: 'Tomas Lind', iban: 'AT611904300234573201' };
  await payouts.setDetails('tomas', { method_type: 'banktransfer', details: other });
  const keys = { maya: payouts.maya, tomas: await app.key('tomas', 'read,write') };
  const send = async (method: string, path: string, json?: object, key = admin) => {
    const reply = await app.call(path, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const get = (path: string, key = admin) => send('GET', path, undefined, key);
  const coupon: number = (await send('POST', `${STORE}/coupons`, { code: 'MAYA10', user_id: maya }))
    .id;
  const order = (id: number, total: number, status = 'completed') =>
    send('PUT', `${STORE}/orders/${id}`, {
      date: app.site.calendar.toLocal(app.site.clock()),
      total,
      status,
      coupon_codes: ['MAYA10'],
    });
  const give = (user_id: number | null, move_balance?: boolean) =>
    app.call(`${STORE}/coupons/${coupon}`, {
      method: 'PATCH',
      key: admin,
      json: { user_id, ...(move_balance !== undefined && { move_balance }) },
    });
  const balance = async (user: number) => {
    const { available, awaiting, on_hold, on_its_way, paid, taken_back } = await get(
      `${STORE}/affiliates/${user}/balance`,
    );
    return { available, awaiting, on_hold, on_its_way, paid, taken_back };
  };
  const statement = (user: number, key = admin) =>
    get(`${STORE}/affiliates/${user}/statement`, key);
  const pools = () => payouts.pools(coupon);
  return { payouts, app, admin, keys, send, get, coupon, order, give, balance, statement, pools };
}

const nothing = { available: 0, awaiting: 0, on_hold: 0, on_its_way: 0, paid: 0, taken_back: 0 };

describe('a coupon that changes hands', () => {
  test('a payout that comes back is the affiliate’s who was paid', async () => {
    for (const status of ['cancel', 'created']) {
      const store = await openStore();
      const { payouts, coupon, keys } = store;
      await store.order(1, 1000);
      const { body: payout } = await payouts.request(coupon, keys.maya);
      await payouts.change(payout.id, 'paid');
      assert.equal((await store.give(tomas)).status, 200);
      assert.deepEqual(await store.pools(), [0, 0, 0]);
      await payouts.change(payout.id, status);
      if (status === 'created') await payouts.change(payout.id, 'cancel');
      assert.deepEqual(await store.pools(), [0, 0, 0]);
      assert.equal(refusal(await payouts.request(coupon, keys.tomas)), '400 svc_api_no_balance');
      assert.deepEqual(await store.balance(maya), { ...nothing, available: 100 });
      const paid = await store.send('POST', `${STORE}/withdrawals`, {}, keys.maya);
      assert.deepEqual(
        paid.payouts.map(({ amount, user, coupon_id }: any) => [amount, user.id, coupon_id]),
        [[100, maya, coupon]],
      );
      await payouts.assertClean();
    }
  });

  test('each affiliate reads its own entries and nothing of the other one', async () => {
    const store = await openStore();
    const { payouts, coupon, keys } = store;
    const ledger = `${STORE}/coupons/${coupon}/ledger`;
    await store.order(1, 1000);
    const { body: payout } = await payouts.request(coupon, keys.maya);
    await payouts.change(payout.id, 'paid');
    const before = await store.statement(maya, keys.maya);
    await store.give(tomas);
    assert.deepEqual(await store.statement(maya, keys.maya), before);
    assert.deepEqual((await store.statement(tomas, keys.tomas)).lines, []);
    assert.deepEqual(await store.get(ledger, keys.tomas), []);
    assert.deepEqual(await store.get(`/coupons/${coupon}/orders`, keys.tomas), []);
    assert.deepEqual(await store.get(`${STORE}/affiliates/${tomas}/orders`, keys.tomas), []);
    await store.order(2, 500);
    const idsOf = (rows: any[]) => rows.map(({ order_id }) => order_id);
    assert.deepEqual(idsOf(await store.get(`/coupons/${coupon}/orders`, keys.tomas)), [2]);
    assert.deepEqual(idsOf(await store.get(`/coupons/${coupon}/orders`)).sort(), [1, 2]);
    const listed: any[] = await store.get(`${STORE}/orders`);
    const creditedTo = listed.map((row) => [row.order_id, row.referrals[0].affiliate.id]);
    assert.deepEqual(creditedTo.toSorted(), [
      [1, maya],
      [2, tomas],
    ]);
    for (const [user, key, orders] of [
      [maya, keys.maya, [1]],
      [tomas, keys.tomas, [2]],
    ] as const) {
      assert.deepEqual(idsOf(await store.get(`${STORE}/affiliates/${user}/orders`, key)), orders);
      const own: any[] = await store.get(ledger, key);
      assert.deepEqual(new Set(own.map(({ affiliate_id }) => affiliate_id)), new Set([user]));
    }
    const all: any[] = await store.get(ledger);
    assert.deepEqual(new Set(all.map(({ affiliate_id }) => affiliate_id)), new Set([maya, tomas]));
    const { status } = await store.app.call(ledger, { key: await store.app.key('carla', 'read') });
    assert.equal(status, 404);
    assert.deepEqual(await store.balance(maya), { ...nothing, paid: 100 });
    assert.deepEqual(await store.balance(tomas), { ...nothing, available: 50 });
    await payouts.assertClean();
  });

  test('figures are each affiliate’s own; an administrator sees those of the whole coupon', async () => {
    for (const moves of [false, true]) {
      const store = await openStore();
      const { coupon, keys, admin } = store;
      const paths = (user: number) =>
        [
          [`/coupons/${coupon}`, ({ stats }: any) => stats],
          [`/coupons/${coupon}/stats`, (all: any) => all],
          [`/coupons/${coupon}/stats?from=2020-01-01`, (all: any) => all],
          [`/affiliates/${user}`, ({ coupons }: any) => coupons[0].stats],
          [`/affiliates/${user}/stats`, ({ totals }: any) => totals],
          [`/affiliates/${user}/stats?from=2020-01-01`, ({ totals }: any) => totals],
        ] as const;
      const read = async (user: number, key: string) => {
        const seen = [];
        for (const [path, figures] of paths(user)) {
          const { orders_count, total_sales } = figures(await store.get(path, key));
          seen.push(`${orders_count}: ${total_sales}`);
        }
        return seen;
      };
      await store.order(1, 1000);
      await store.order(2, 500, 'processing');
      assert.deepEqual(new Set(await read(maya, keys.maya)), new Set(['2: 1500']));
      await store.give(tomas, moves);
      await store.order(3, 20);
      const [own, left] = moves ? ['3: 1520', '0: 0'] : ['1: 20', '2: 1500'];
      assert.deepEqual(new Set(await read(tomas, keys.tomas)), new Set([own]));
      const { totals } = await store.get(`/affiliates/${maya}/stats`, keys.maya);
      assert.equal(`${totals.orders_count}: ${totals.total_sales}`, left);
      const [record, figures] = await read(tomas, admin);
      assert.deepEqual([record, figures], ['3: 1520', '3: 1520']);
      const roster: any[] = await store.get(`${STORE}/affiliates`);
      const { top_affiliates } = await store.get('/reports/summary');
      const { rows } = await store.get(`${STORE}/reports?by=affiliate&from=2026-01-01`);
      for (const [user, expected] of [
        [maya, left],
        [tomas, own],
      ] as const) {
        const listed = roster.find(({ id }) => id === user);
        assert.equal(`${listed.orders_count}: ${listed.total_sales}`, expected);
        const none = { orders_count: 0, total_sales: 0 };
        const top = top_affiliates.find(({ user: { id } }: any) => id === user) ?? none;
        assert.equal(`${top.orders_count}: ${top.total_sales}`, expected);
        const row = rows.find(({ id }: any) => id === user)?.figures ?? { orders: 0, sales: 0 };
        assert.equal(`${row.orders}: ${row.sales}`, expected);
      }
      await store.give(maya, moves);
      const all = moves ? '3: 1520' : '2: 1500';
      assert.deepEqual(new Set(await read(maya, keys.maya)), new Set([all]));
    }
  });

  test('commission that is held is released to the affiliate who earned it, or to whom it moved', async () => {
    for (const moves of [false, true]) {
      const store = await openStore({ 'commission.delay_days': 30 });
      await store.order(1, 1000);
      assert.equal(refusal(await store.give(tomas)), '409 svc_api_balance_open');
      assert.equal((await store.give(tomas, moves)).status, 200);
      const [has, other] = moves ? [tomas, maya] : [maya, tomas];
      assert.deepEqual(await store.balance(has), { ...nothing, on_hold: 100 });
      store.app.advance(31 * DAY_MS);
      await releaseHeld.run(store.app.site);
      assert.deepEqual(await store.balance(has), { ...nothing, available: 100 });
      assert.deepEqual(await store.balance(other), nothing);
      const [event] = await store.get('/events?event=commission.added&per_page=1');
      assert.equal(event.data.user_id, has);
      await store.payouts.assertClean();
    }
  });

  test('a cancelled payout is opened again from what its affiliate has', async () => {
    const store = await openStore();
    const { payouts, coupon, keys } = store;
    await store.order(1, 1000);
    const { body: payout } = await payouts.request(coupon, keys.maya);
    await payouts.change(payout.id, 'cancel');
    await store.give(tomas, true);
    assert.equal(
      refusal(await payouts.change(payout.id, 'pending')),
      '409 svc_api_insufficient_unpaid',
    );
    assert.deepEqual(await store.pools(), [100, 0, 0]);
    await store.give(maya, true);
    assert.equal((await payouts.change(payout.id, 'pending')).status, 200);
    assert.deepEqual(await store.balance(maya), { ...nothing, on_its_way: 100 });
    await payouts.assertClean();
  });

  test('a bonus is for the affiliate who reached it, and no other one gets it for the same sales', async () => {
    const store = await openStore({ 'commission.delay_days': 30 });
    const target = { by: 'sales', counts: 'counted', window: { kind: 'month' }, at: 1000 };
    const pays = { amount: 500 };
    await store.send('POST', `${STORE}/rewards/bonuses`, { name: 'Autumn', target, pays });
    const check = async () => {
      store.app.advance(60 * 60_000);
      await checkBonuses.run(store.app.site);
    };
    await store.order(1, 1000);
    await check();
    assert.equal((await store.balance(maya)).on_hold, 600);
    await store.give(tomas, false);
    await store.order(2, 10);
    await check();
    assert.deepEqual(await store.balance(maya), { ...nothing, on_hold: 600 });
    assert.deepEqual(await store.balance(tomas), { ...nothing, on_hold: 1 });
    store.app.advance(31 * DAY_MS);
    await releaseHeld.run(store.app.site);
    await check();
    assert.deepEqual(await store.balance(maya), { ...nothing, available: 600 });
    await store.payouts.assertClean();
  });

  test('a bonus of an affiliate without a coupon is on the account of the last one', async () => {
    const store = await openStore();
    const target = { by: 'sales', counts: 'granted', window: { kind: 'month' }, at: 1000 };
    const bonus = { name: 'Autumn', target, pays: { amount: 500 } };
    await store.send('POST', `${STORE}/rewards/bonuses`, bonus);
    await store.order(1, 1000, 'processing');
    await store.give(tomas, false);
    await store.order(1, 1000);
    store.app.advance(60 * 60_000);
    await checkBonuses.run(store.app.site);
    assert.deepEqual(await store.balance(maya), { ...nothing, available: 600 });
    assert.deepEqual(await store.balance(tomas), nothing);
    await store.payouts.assertClean();
  });

  test('false leaves everything, and refunds are the former affiliate’s', async () => {
    const store = await openStore();
    await store.order(1, 1000);
    await store.order(2, 200, 'processing');
    assert.equal((await store.give(tomas, false)).status, 200);
    assert.deepEqual(await store.pools(), [0, 0, 0]);
    assert.deepEqual(await store.balance(maya), { ...nothing, available: 100, awaiting: 20 });
    await store.order(1, 1000, 'refunded');
    await store.order(2, 200);
    assert.deepEqual(await store.balance(maya), { ...nothing, available: 20 });
    assert.deepEqual(await store.balance(tomas), nothing);
    await store.payouts.assertClean();
  });

  test('true moves what is left, with its orders: later changes are posted where the money is', async () => {
    const store = await openStore();
    const { payouts, coupon, keys } = store;
    await store.order(1, 1000);
    const { body: payout } = await payouts.request(coupon, keys.maya);
    await store.order(2, 500);
    await store.order(3, 200, 'processing');
    assert.equal((await store.give(tomas, true)).status, 200);
    assert.deepEqual(await store.balance(maya), { ...nothing, on_its_way: 100 });
    assert.deepEqual(await store.balance(tomas), { ...nothing, available: 50, awaiting: 20 });
    const moved = (await store.get(`${STORE}/coupons/${coupon}/ledger`)).filter(
      ({ kind }: any) => kind === 'hand_over',
    );
    assert.deepEqual(
      moved.map((entry: any) => [
        entry.affiliate_id,
        entry.from_user_id,
        entry.to_user_id,
        entry.order_id,
        entry.to,
        entry.amount,
      ]),
      [
        [tomas, maya, tomas, 2, 'unpaid', 50],
        [maya, maya, tomas, 2, 'unpaid', -50],
        [tomas, maya, tomas, 3, 'awaiting', 20],
        [maya, maya, tomas, 3, 'awaiting', -20],
      ],
    );
    await store.order(2, 500, 'refunded');
    await store.order(3, 200);
    // Of the first order nothing was left to move: what is taken back is a debt of Maya's.
    await store.order(1, 1000, 'refunded');
    assert.deepEqual(await store.balance(tomas), { ...nothing, available: 20 });
    assert.deepEqual(await store.balance(maya), { ...nothing, on_its_way: 100, taken_back: 100 });
    await payouts.change(payout.id, 'paid');
    assert.deepEqual(await store.balance(maya), { ...nothing, paid: 100, taken_back: 100 });
    await payouts.assertClean();
  });

  test('what moved to no affiliate waits with its orders for the next one', async () => {
    for (const change of ['released', 'refunded'] as const) {
      const store = await openStore();
      await store.order(1, 1000);
      await store.order(2, 500, 'processing');
      assert.equal((await store.give(null, true)).status, 200);
      assert.deepEqual(await store.balance(maya), nothing);
      await store.payouts.assertClean();
      if (change === 'released') await store.order(2, 500);
      else await store.order(1, 1000, 'refunded');
      assert.deepEqual(await store.balance(maya), nothing);
      assert.equal((await store.give(tomas, true)).status, 200);
      const [available, awaiting] = change === 'released' ? [150, 0] : [0, 50];
      assert.deepEqual(await store.balance(tomas), { ...nothing, available, awaiting });
      await store.order(1, 1000, 'refunded');
      await store.order(2, 500, 'refunded');
      assert.deepEqual(await store.balance(tomas), nothing);
      assert.deepEqual(await store.balance(maya), nothing);
      const { totals } = await store.get(`/affiliates/${maya}/stats`, store.keys.maya);
      assert.equal(totals.orders_count, 0);
      await store.payouts.assertClean();
    }
  });

  test('a debt never moves, and is made up for when the coupon comes back', async () => {
    const store = await openStore();
    const { payouts, coupon, keys } = store;
    await store.order(1, 1000);
    await payouts.change((await payouts.request(coupon, keys.maya)).body.id, 'paid');
    await store.order(1, 1000, 'refunded');
    assert.equal((await store.give(tomas, true)).status, 200);
    assert.deepEqual(await store.pools(), [0, 0, 0]);
    await store.order(2, 300);
    await store.give(maya, true);
    assert.deepEqual(await store.pools(), [-70, 0, 100]);
    assert.deepEqual(await store.balance(tomas), nothing);
    await payouts.assertClean();
  });

  test('a former balance is in the sums of its affiliate, and an administrator pays it out', async () => {
    const store = await openStore();
    const { payouts, coupon, keys, admin } = store;
    await store.order(1, 1000);
    await store.give(tomas, false);
    await store.order(2, 500);
    const record = await store.get(`/affiliates/${maya}`);
    assert.deepEqual([record.unpaid_commission, record.coupons], [100, []]);
    const { totals } = await store.get(`/affiliates/${maya}/stats`);
    assert.equal(totals.unpaid_commission, 100);
    const roster: any[] = await store.get(`${STORE}/affiliates`);
    const listed = roster.find(({ id }) => id === maya);
    assert.equal(listed.unpaid_commission, 100);
    const summary = await store.get('/reports/summary');
    assert.equal(summary.totals.unpaid_commission, 150);
    const withdraw = (json: object, key = admin) =>
      store.app.call(`${STORE}/withdrawals`, { method: 'POST', key, json });
    assert.equal((await withdraw({ user_id: maya }, keys.tomas)).status, 404);
    const reply = await withdraw({ user_id: maya });
    assert.deepEqual(
      [reply.status, reply.body.amount, reply.body.payouts[0].user.id],
      [201, 100, maya],
    );
    assert.deepEqual(await store.pools(), [50, 0, 0]);
    assert.equal(refusal(await withdraw({}, keys.maya)), '400 svc_api_no_balance');
    // Each account has its own open request.
    const { status, body } = await payouts.request(coupon, keys.tomas);
    assert.deepEqual([status, body.amount], [201, 50]);
    assert.deepEqual(
      (await store.get('/payouts', keys.tomas)).map(({ id }: any) => id),
      [body.id],
    );
    await payouts.assertClean();
  });

  test('the balance of a coupon without an affiliate moves only with move_balance', async () => {
    const store = await openStore();
    await store.order(1, 1000);
    assert.equal((await store.give(null, true)).status, 200);
    assert.deepEqual(await store.pools(), [100, 0, 0]);
    assert.equal(refusal(await store.give(maya)), '409 svc_api_balance_open');
    assert.equal((await store.give(maya, false)).status, 200);
    assert.deepEqual(await store.balance(maya), nothing);
    await store.payouts.assertClean();
  });
});
