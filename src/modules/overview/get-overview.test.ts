import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { query } from '../../db/statements/query.ts';

const payouts = await openPayoutApp();
const { app, admin } = payouts;
const manager = await app.key('manager', 'read,write,manage');

const overview = async (search = '', key = admin) =>
  (await app.call(`${STORE}/overview${search}`, { key })).body;
const needsOf = async (key = admin) =>
  Object.fromEntries(
    (await overview('', key)).needs.map(({ name, count, amount }: any) => [name, [count, amount]]),
  );

const change = async (path: string, method: 'POST' | 'PUT' | 'PATCH', json: object) => {
  const reply = await app.call(path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
};

const failWebhooks = query<{ now: number }>((db, p) =>
  db.updateTable('webhooks').set({ failing_since: p.now }),
);
// Only a gateway can fail a payout.
const failPayout = query<{ id: number }>((db, p) =>
  db.updateTable('payouts').set({ status: 'failed' }).where('id', '=', p.id),
);
const failMails = query<object>((db) => db.updateTable('outbox').set({ state: 'failed' }));

describe('GET /overview', () => {
  test('the checklist of a new store, until every step is done or confirmed', async () => {
    const names = ['order', 'affiliate', 'payout_method', 'mail', 'backup'];
    const { steps } = await overview();
    const done = (list: any[]) => list.filter((step) => step.done).map(({ name }) => name);
    assert.deepEqual(steps.map(({ name }: any) => name).toSorted(), names.toSorted());
    assert.deepEqual(done(steps), ['affiliate']);
    const confirm = (list: string[]) =>
      change(`${STORE}/settings`, 'PATCH', { 'console.confirmed_steps': list });
    await confirm(['backup', 'mail', 'payout_method']);
    assert.equal((await overview()).steps.length, names.length);
    await change(`${STORE}/coupons`, 'POST', { code: 'FIRST', user_id: idOf('maya') });
    const order = { status: 'completed', total: 100, subtotal: 100, coupon_codes: ['FIRST'] };
    await change(`${STORE}/orders/1`, 'PUT', { date: '2026-01-10T12:00:00', ...order });
    assert.deepEqual((await overview()).steps, []);
    // A store with ten orders is past its first hour.
    await confirm([]);
    assert.equal(done((await overview()).steps).length, 2);
    for (let id = 2; id <= 10; id += 1) {
      await change(`${STORE}/orders/${id}`, 'PUT', { date: '2026-01-12T12:00:00', ...order });
    }
    assert.deepEqual((await overview()).steps, []);
  });

  test('figures of the period and of the one before, of the same length, and the top affiliates', async () => {
    const body = await overview('?from=2026-01-11&to=2026-01-14');
    assert.deepEqual([body.previous.from, body.previous.to], ['2026-01-07', '2026-01-10']);
    assert.deepEqual(body.period.figures, {
      clicks: 0,
      conversions: 0,
      conversion_rate: 0,
      orders: 9,
      sales: 900,
      commission: 90,
      upline_commission: 0,
      bonuses: 0,
      bonus_amount: 0,
    });
    assert.equal(body.previous.figures.orders, 1);
    assert.deepEqual(
      body.top_affiliates.map(({ user, orders, commission }: any) => [
        user.login,
        orders,
        commission,
      ]),
      [['maya', 9, 90]],
    );
    const today = app.site.calendar.dayOf(app.site.clock());
    assert.equal((await overview()).period.to, today);
  });

  test('what waits, with its amount; webhooks only for administrators', async () => {
    assert.deepEqual(await needsOf(), {});
    await payouts.payoutAt('pending', 30);
    await payouts.payoutAt('pending', 12.5);
    const failed = await payouts.payoutAt('created', 20);
    await change(`${STORE}/registrations`, 'POST', { login: 'nora', email: 'nora@test.example' });
    const events = ['referral.created'];
    await change('/svc/v2/webhooks', 'POST', { url: 'https://hooks.example/a', events });
    await app.site.database.transaction(async (tx) => {
      await tx.run(failWebhooks, { now: app.site.clock() });
      await tx.run(failMails, {});
      await tx.run(failPayout, { id: failed.id });
    });
    const found = await needsOf();
    assert.ok(found['mails_failed'][0] > 0);
    delete found['mails_failed'];
    assert.deepEqual(found, {
      applications: [1, null],
      payouts_to_review: [2, 42.5],
      payouts_failed: [1, 20],
      webhooks_failing: [1, null],
    });
    const { needs } = await overview();
    const named = needs.find(({ name }: any) => name === 'webhooks_failing').items;
    assert.deepEqual(
      named.map(({ name }: any) => name),
      ['https://hooks.example/a'],
    );
    const owed = needs.find(({ name }: any) => name === 'payouts_failed').items;
    assert.deepEqual(
      owed.map(({ id, name }: any) => [id, name]),
      [[failed.id, 'maya']],
    );
    assert.equal((await needsOf(manager))['webhooks_failing'], undefined);
    assert.equal((await needsOf(manager))['payouts_failed'][0], 1);
    // Another payout of the coupon follows: it is not owed any more.
    await payouts.earn(failed.coupon_id, 20);
    assert.equal((await payouts.request(failed.coupon_id)).status, 201);
    assert.equal((await needsOf())['payouts_failed'], undefined);
  });

  test('400: a period that is too long or ends before it begins', async () => {
    for (const search of ['?from=2020-01-01&to=2026-01-01', '?from=2026-01-02&to=2026-01-01']) {
      const { status, body } = await app.call(`${STORE}/overview${search}`, { key: admin });
      assert.deepEqual([status, Object.keys(body.data.params)], [400, ['from']], search);
    }
  });
});
