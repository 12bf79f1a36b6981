import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { anonymousRatePerMinute } from '../../src/kernel/call/rate-limit-settings.ts';
import { eventually } from '../support/eventually.ts';
import { idOf, refusal, type CallOptions, type Reply, type TestApp } from '../support/harness.ts';
import { openPayoutApp, STORE, type PayoutApp } from '../support/payouts.ts';
import { testServer } from './databases.ts';
import { serveBeside } from './serve-beside.ts';

if (testServer() !== undefined) {
  let close = async () => {};
  // Before the one that takes the database with it.
  after(() => close());
  const payouts = await openPayoutApp();
  const beside = await serveBeside(payouts.app);
  close = beside.close;
  describe('two instances on one database', () => twoInstances(payouts, beside.app));
}

function twoInstances(payouts: PayoutApp, beside: TestApp): void {
  const [here, there] = [payouts.app, beside];
  const both = [here, there];
  const key = payouts.admin;

  /** So many calls at the same moment, in turn to the one and to the other. */
  const atOnce = (count: number, path: string, options: (i: number) => CallOptions) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => both[i % 2]!.call(path, { key, ...options(i) })),
    );
  const post = (json: unknown) => ({ method: 'POST', json });
  const tally = (replies: Reply[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([status, some]) => [
        status,
        some!.length,
      ]),
    );
  const couponOf = async (code: string) =>
    (await payouts.app.call(`${STORE}/coupons`, { key, ...post({ code, user_id: idOf('maya') }) }))
      .body.id as number;

  test('32 requests for a payout: one is created, the others return it or 409', async () => {
    const coupon = await payouts.coupon(80);
    const counts = tally(await atOnce(32, '/payouts', () => post({ coupon_id: coupon })));
    assert.equal(counts['201'], 1);
    assert.deepEqual(
      Object.keys(counts).filter((status) => !/^(200|201|409)$/.test(status)),
      [],
    );
    const { body } = await payouts.app.call(`/payouts?coupon_id=${coupon}`, { key });
    assert.equal(body.length, 1);
    assert.deepEqual(await payouts.pools(coupon), [0, 80, 0]);
  });

  test('16 changes of its status: every 200 is a legal step, and the books agree', async () => {
    const { id } = await payouts.payoutAt('pending', 60);
    const targets = ['created', 'paid', 'cancel', 'pending'];
    const replies = await atOnce(16, `/payouts/${id}/status`, (i) =>
      post({ status: targets[Math.floor(i / 2) % 4] }),
    );
    for (const { status, text } of replies) assert.ok([200, 400, 409].includes(status), text);
    await payouts.assertClean();
  });

  test('the same new orders from many sides, one by one and in batches: each counts once', async () => {
    const coupons = [await couponOf('LEFT'), await couponOf('RIGHT')];
    const order = (order_id: number) => ({
      order_id,
      date: '2026-04-01T10:00:00Z',
      status: 'completed',
      total: 10,
      coupon_codes: order_id % 2 ? ['left', 'right'] : ['right', 'left'],
    });
    const ids = Array.from({ length: 20 }, (_, i) => 5_000 + i);
    const batches = atOnce(6, `${STORE}/orders/batch`, (i) =>
      post({ orders: (i % 2 ? ids : ids.toReversed()).map(order) }),
    );
    const single = ids.flatMap((id) =>
      both.map((app) => {
        const { order_id: _, ...json } = order(id);
        return app.call(`${STORE}/orders/${id}`, { key, method: 'PUT', json });
      }),
    );
    for (const { status, text } of await batches) assert.equal(status, 200, text);
    for (const { status, text } of await Promise.all(single)) {
      assert.ok([200, 201].includes(status), text);
    }
    for (const id of coupons) {
      for (const app of both) {
        const { body } = await app.call(`/coupons/${id}/stats?from=2026-04-01&to=2026-04-30`, {
          key,
        });
        assert.deepEqual(
          [body.orders_count, body.total_sales, body.total_commission],
          [20, 200, 20],
        );
      }
    }
    await payouts.assertClean();
  });

  test('the same login for several users: one gets it, the others get an error', async () => {
    const replies = await atOnce(8, `${STORE}/affiliates`, () =>
      post({ login: 'wanted', email: 'wanted@test.example' }),
    );
    assert.deepEqual(tally(replies), { 201: 1, 409: 7 });
    assert.equal(refusal(replies.find(({ status }) => status === 409)!), '409 svc_api_user_exists');
  });

  test('the same Idempotency-Key: done once, answered the same', async () => {
    const headers = { 'Idempotency-Key': 'once-over-all' };
    const replies = await atOnce(10, '/keys', () => ({ ...post({ scopes: ['read'] }), headers }));
    assert.deepEqual(tally(replies), { 201: 10 });
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);

    const hook = post({ url: 'https://receiver.invalid/hook', events: ['*'] });
    const hooks = await atOnce(10, '/webhooks', () => ({ ...hook, headers }));
    assert.deepEqual(tally(hooks), { 201: 10 });
    assert.equal(new Set(hooks.map(({ body }) => body.id)).size, 1);
  });

  test('each below the other: one of the two is refused', async () => {
    const [maya, tomas] = [idOf('maya'), idOf('tomas')];
    const set = (app: TestApp, id: number, parent_id: number) =>
      app.call(`${STORE}/affiliates/${id}/parent`, { key, method: 'PUT', json: { parent_id } });
    const answers = await Promise.all([set(here, maya, tomas), set(there, tomas, maya)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  });

  test('settings, keys and totals that one changes are those of the other', async () => {
    const made = await here.keyRecord('maya', 'read');
    assert.equal((await there.call('/me', { key: made.token })).status, 200);
    const total = async () =>
      Number((await there.call('/coupons?per_page=1', { key })).headers.get('x-svc-total'));
    const before = await total();

    await here.call(`/keys/${made.id}`, { key, method: 'DELETE' });
    await here.set({ 'api.disabled_endpoints': ['store:get_groups'] });
    await couponOf('ONEMORE');
    await eventually(async () => {
      assert.equal((await there.call('/me', { key: made.token })).status, 401);
      assert.equal((await there.call(`${STORE}/groups`, { key })).status, 404);
      assert.equal(await total(), before + 1);
    });
  });

  test('payouts made here are counted there, and nothing else is forgotten for them', async () => {
    const total = async () =>
      Number((await there.call('/payouts?per_page=1', { key })).headers.get('x-svc-total'));
    const coupon = await payouts.coupon(20);
    // Notifications arrive in order: once the setting is there, the coupon cache has been invalidated.
    await here.set({ 'api.anonymous_rate_per_minute': 999_999 });
    const heard = () => there.site.settings.get(anonymousRatePerMinute);
    await eventually(() => assert.equal(heard(), 999_999));
    const before = await total();
    let forgotten = 0;
    there.site.onInvalidateCaches(() => (forgotten += 1));
    assert.equal((await payouts.request(coupon)).status, 201);
    await eventually(async () => assert.equal(await total(), before + 1));
    assert.equal(forgotten, 0);
  });

  test('who becomes an affiliate here is one there', async () => {
    const carla = await here.key('carla', 'read,write');
    const roleThere = async () => (await there.call('/me', { key: carla })).body.role;
    assert.equal(await roleThere(), 'customer');
    const applied = await here.call(`${STORE}/registrations`, { key: carla, ...post({}) });
    const accept = { key, ...post({ status: 'accepted' }) };
    const accepted = await here.call(`/registrations/${applied.body.id}/status`, accept);
    assert.equal(accepted.status, 200, accepted.text);
    await eventually(async () => assert.equal(await roleThere(), 'affiliate'));
  });

  test('who is suspended here changes nothing there', async () => {
    const [coupon, path] = [await payouts.coupon(10), `${STORE}/affiliates/${idOf('maya')}`];
    const [basic, session] = [await here.basic('maya'), await here.signIn('maya')];
    const credentials = [{ key: payouts.maya }, { basic }, { session }];
    for (const one of credentials) assert.equal((await there.call('/me', one)).status, 200);
    const setStatus = (status: string) =>
      here.call(path, { key, method: 'PATCH', json: { status } });
    await setStatus('suspended');
    // The transaction looks itself; the caller is forgotten as soon as the notice arrives.
    const request = { ...post({ coupon_id: coupon }), key: payouts.maya };
    assert.equal(refusal(await there.call('/payouts', request)), '403 svc_api_suspended');
    for (const one of credentials) {
      await eventually(async () => {
        const reply = await there.call(`${STORE}/registrations`, { ...post({}), ...one });
        assert.equal(refusal(reply), '403 svc_api_suspended');
      });
      assert.equal((await there.call(`/coupons/${coupon}`, one)).status, 200);
    }
    await setStatus('active');
    await eventually(async () => assert.equal((await there.call('/payouts', request)).status, 201));
  });

  test('figures of a range are exact on the other instance immediately', async () => {
    const id = await couponOf('EXACT');
    const path = `/coupons/${id}/stats?from=2026-05-01&to=2026-05-31`;
    const json = { date: '2026-05-05T10:00:00Z', status: 'completed', coupon_codes: ['exact'] };
    for (let i = 1; i <= 10; i++) {
      const order = { ...json, total: i };
      await here.call(`${STORE}/orders/${9_000 + i}`, { key, method: 'PUT', json: order });
      assert.equal((await there.call(path, { key })).body.orders_count, i);
      assert.equal((await there.call(path, { key })).body.source, 'cache');
    }
  });
}
