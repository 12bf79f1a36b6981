import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { runTrials } from './run-trials.ts';

const PATH = '/svc/store/v1/rewards/dry-run';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const today = () => app.site.calendar.dayOf(app.site.clock());
const dayBefore = (days: number) => app.site.calendar.dayOf(app.site.clock() - days * DAY_MS);
const start = (json: object) =>
  app.call(PATH, {
    method: 'POST',
    key: admin,
    json: { from: dayBefore(30), to: today(), ...json },
  });
const found = (id: number) => app.call(`${PATH}/${id}`, { key: admin });

for (const [code, login] of [
  ['MAYA', 'maya'],
  ['TOMAS', 'tomas'],
] as const) {
  const json = { code, user_id: idOf(login) };
  await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });
}
for (const [id, code, total, days] of [
  [1, 'MAYA', 100, 40],
  [2, 'MAYA', 100, 20],
  [3, 'MAYA', 50, 10],
  [4, 'TOMAS', 200, 5],
] as const) {
  const date = `${dayBefore(days)}T12:00:00`;
  const json = { date, status: 'completed', total, coupon_codes: [code] };
  const reply = await app.call(`/svc/store/v1/orders/${id}`, { method: 'PUT', key: admin, json });
  assert.ok(reply.status < 300, reply.text);
}

describe('dry runs of rewards', () => {
  test('say who gets what with other rules, and change nothing', async () => {
    const rules = [
      { who: { affiliates: [idOf('maya')] }, rate: { percent: 20 } },
      { rate: { percent: 5 } },
    ];
    const { status, body, text } = await start({ rules });
    assert.equal(status, 202, text);
    assert.equal(body.state, 'running');
    assert.equal(refusal(await start({ rules })), '409 svc_api_trial_running');
    await runTrials.run(app.site);
    const { body: trial } = await found(body.id);
    assert.deepEqual(trial, {
      id: body.id,
      state: 'done',
      progress: 1,
      totals: { before: 35, after: 40 },
      affiliates: [
        { user_id: idOf('tomas'), name: 'tomas', before: 20, after: 10 },
        { user_id: idOf('maya'), name: 'maya', before: 15, after: 30 },
      ],
      losing: 1,
      orders: [
        { order_id: 2, user_id: idOf('maya'), before: 10, after: 20 },
        { order_id: 4, user_id: idOf('tomas'), before: 20, after: 10 },
        { order_id: 3, user_id: idOf('maya'), before: 5, after: 10 },
      ],
    });
    const { body: order } = await app.call('/svc/store/v1/orders/4/commission', { key: admin });
    assert.equal(order.referrals[0].commission, 20);
  });

  test('take settings that decide commission, and refuse others by their path', async () => {
    const { body } = await start({ settings: { 'commission.percent': 20 } });
    await runTrials.run(app.site);
    assert.deepEqual((await found(body.id)).body.totals, { before: 35, after: 70 });
    for (const [json, path] of [
      [{ settings: { 'commission.delay_days': 3 } }, 'settings.commission.delay_days'],
      [{ settings: { 'commission.percent': 300 } }, 'settings'],
      [{ rules: [{ rate: { percent: 1 } }, { rate: {} }] }, 'rules[1].rate'],
      [{ rules: [{ rate: { percent: 1 }, who: { groups: ['No'] } }] }, 'rules[0].who.groups[0]'],
      [{ from: dayBefore(800) }, 'from'],
      [{ from: today(), to: dayBefore(3) }, 'from'],
      [{ to: dayBefore(-3) }, 'to'],
    ] as const) {
      const reply = await start(json);
      assert.equal(reply.status, 400, reply.text);
      assert.deepEqual(Object.keys(reply.body.data.params), [path]);
    }
  });

  test('can be cancelled; then the next one can start', async () => {
    const { body } = await start({});
    const path = `${PATH}/${body.id}`;
    const cancelled = await app.call(path, { method: 'DELETE', key: admin });
    assert.deepEqual([cancelled.status, cancelled.body.state], [200, 'cancelled']);
    await runTrials.run(app.site);
    assert.equal((await found(body.id)).body.state, 'cancelled');
    const next = await start({});
    await runTrials.run(app.site);
    const { body: same } = await found(next.body.id);
    assert.deepEqual([same.state, same.affiliates, same.losing], ['done', [], 0]);
    assert.equal(refusal(await found(999)), '404 svc_api_not_found');
  });

  test('fail after a while if no process computes them, and are removed after a day', async () => {
    const { body } = await start({});
    app.advance(2 * 60_000);
    await runTrials.run(app.site);
    assert.equal((await found(body.id)).body.state, 'failed');
    const next = await start({});
    assert.equal(next.status, 202);
    app.advance(2 * 60_000);
    assert.equal((await start({})).status, 202, 'one that is dead hinders none');
    app.advance(DAY_MS);
    await runTrials.run(app.site);
    assert.equal((await found(body.id)).status, 404);
  });

  test('are started by administrators only', async () => {
    const json = { from: dayBefore(3), to: today() };
    const key = await app.key('manager', 'read,write,manage');
    assert.equal(
      refusal(await app.call(PATH, { method: 'POST', key, json })),
      '403 svc_api_forbidden',
    );
  });
});
