import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { DAY_MS } from '../../shared/durations.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({ settings: { 'commission.percent': 10 } });
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read');
const post = async (path: string, json: object) => {
  const reply = await app.call(`${STORE}${path}`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
};
const rewards = (key = maya, headers = {}, login = 'maya') =>
  app.call(`${STORE}/affiliates/${idOf(login)}/rewards`, { key, headers });
const sentences = (rows: { sentence: string }[]) => rows.map(({ sentence }) => sentence);

describe('GET /affiliates/{id}/rewards', () => {
  test('200: without rules, the rate of the store', async () => {
    const { status, body } = await rewards();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      rules: [],
      steps: [],
      built_in: [{ name: 'store', sentence: 'All purchases earn 10%.' }],
      bonuses: [],
    });
  });

  test('the rules that concern the affiliate and have not ended, in their order', async () => {
    const day = (days: number) => app.site.calendar.dayOf(app.site.clock() + days * DAY_MS);
    await post('/groups', { name: 'Gold' });
    await post('/coupons', { code: 'OURS', user_id: idOf('maya') });
    const others = await post('/coupons', { code: 'THEIRS', user_id: idOf('tomas') });
    const rule = (json: object) => post('/rewards/rules', json);
    const both = [idOf('maya'), idOf('tomas')];
    const first = await rule({ who: { affiliates: both }, rate: { percent: 11 } });
    await rule({ who: { affiliates: [idOf('tomas')] }, rate: { percent: 12 } });
    await rule({ who: { coupons: [others.id] }, rate: { percent: 13 } });
    await rule({ who: { groups: ['Gold'] }, rate: { percent: 14 } });
    await rule({ to: day(-1), rate: { percent: 15 } });
    await rule({ active: false, rate: { percent: 16 } });
    const last = await rule({ what: { tags: ['gift'] }, rate: { excluded: true } });
    const { body } = await rewards();
    assert.deepEqual(body.rules, [
      { id: first.id, sentence: 'You earn 11%.' },
      { id: last.id, sentence: 'You earn nothing on products with the tag gift.' },
    ]);
  });

  test('the rates of each coupon where they differ', async () => {
    await post('/coupons', { code: 'BETTER', user_id: idOf('maya'), percent_override: 25 });
    const found = sentences((await rewards()).body.built_in);
    assert.ok(found.includes('Your coupon OURS earns 10%.'), found.join());
    assert.ok(found.includes('Your coupon BETTER earns 25%.'), found.join());
  });

  test('in the language of the reader', async () => {
    const { body } = await rewards(maya, { 'accept-language': 'de' });
    assert.match(body.rules[0].sentence, /^Sie verdienen 11\s%\.$/);
  });

  test('404: for other affiliates; 200 for administrators', async () => {
    assert.match(refusal(await rewards(maya, {}, 'tomas')), /^404 /);
    assert.equal((await rewards(admin)).status, 200);
  });
});

describe('the steps of an affiliate', async () => {
  const store = await openTestApp({ settings: { 'commission.percent': 10 } });
  const key = await store.key('admin', 'read,write,manage');
  store.setClock(Date.parse('2026-11-10T12:00:00Z') - store.site.clock());
  const send = async (method: string, path: string, json?: object) => {
    const reply = await store.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const stepsOf = async (login: string) =>
    (await send('GET', `/affiliates/${idOf(login)}/rewards`)).steps;
  const rule = async (steps: object, more: object = {}) =>
    (await send('POST', '/rewards/rules', { rate: { steps }, ...more })).id;
  const order = (id: number, total: number, more: object = {}) =>
    send('PUT', `/orders/${id}`, {
      date: '2026-11-10T10:00:00',
      status: 'completed',
      subtotal: total,
      total,
      coupon_codes: ['OURS'],
      ...more,
    });
  const month = { kind: 'month' };
  const sales = {
    by: 'sales',
    counts: 'granted',
    window: month,
    steps: [
      { from: 0, percent: 10 },
      { from: 1000.1, percent: 12 },
    ],
  };
  const customers = {
    by: 'new_customers',
    counts: 'counted',
    window: { kind: 'days', days: 30 },
    steps: [
      { from: 0, percent: 5 },
      { from: 1, percent: 7.5 },
    ],
  };
  let bySales = 0;
  let byCustomers = 0;

  test('the value of the current window, and what is missing to the next step', async () => {
    for (const [code, login] of [
      ['OURS', 'maya'],
      ['THEIRS', 'tomas'],
    ]) {
      await send('POST', '/coupons', { code, user_id: idOf(login!) });
    }
    bySales = await rule(sales, { from: '2026-11-10', to: '2026-11-10' });
    byCustomers = await rule(customers);
    await order(1, 740.05);
    await order(2, 100, { status: 'processing' });
    await order(3, 500, { date: '2026-10-31T10:00:00' });
    const next = { from: 1000.1, percent: 12 };
    const common = { rule_id: bySales, by: 'sales', window: month, percent: 10 };
    assert.deepEqual((await stepsOf('maya'))[0], {
      ...common,
      value: 740.05,
      next: { ...next, missing: 260.05 },
    });
    assert.deepEqual((await stepsOf('tomas'))[0], {
      ...common,
      value: 0,
      next: { ...next, missing: 1000.1 },
    });
  });

  test('null after the highest step, which begins exactly at its number', async () => {
    await order(1, 1000.1, { customer: { email: 'ann@test.example' } });
    const { window } = customers;
    assert.deepEqual(await stepsOf('maya'), [
      { rule_id: bySales, by: 'sales', window: month, value: 1000.1, percent: 12, next: null },
      { rule_id: byCustomers, by: 'new_customers', window, value: 1, percent: 7.5, next: null },
    ]);
  });

  test('only for rules that apply today to the affiliate', async () => {
    await rule(sales, { from: '2026-11-11' });
    await rule(sales, { to: '2026-11-09' });
    await rule(sales, { active: false });
    await rule(sales, { who: { affiliates: [idOf('tomas')] } });
    const ids = (await stepsOf('maya')).map(({ rule_id }: { rule_id: number }) => rule_id);
    assert.deepEqual(ids, [bySales, byCustomers]);
  });
});

test('rules and steps that one above always decides for the affiliate are left out', async () => {
  const store = await openTestApp();
  const key = await store.key('admin', 'read,write,manage');
  const send = async (method: string, path: string, json?: object) => {
    const reply = await store.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const today = store.site.calendar.dayOf(store.site.clock());
  await send('POST', '/groups', { name: 'Gold' });
  const gold = await send('POST', '/rewards/rules', {
    who: { groups: ['Gold'] },
    from: today,
    rate: { percent: 20 },
  });
  const counter = { by: 'sales', counts: 'counted', window: { kind: 'month' } };
  const everyone = await send('POST', '/rewards/rules', {
    rate: { steps: { ...counter, steps: [{ from: 0, percent: 15 }] } },
  });
  const shown = async () => {
    const { rules, steps } = await send('GET', `/affiliates/${idOf('maya')}/rewards`);
    return [rules.map(({ id }: any) => id), steps.map(({ rule_id }: any) => rule_id)];
  };
  assert.deepEqual(await shown(), [[everyone.id], [everyone.id]]);
  await send('PATCH', `/affiliates/${idOf('maya')}`, { groups: ['Gold'] });
  assert.deepEqual(await shown(), [[gold.id], []]);
  await send('PATCH', `/rewards/rules/${gold.id}`, { from: null, to: today });
  assert.deepEqual(await shown(), [[gold.id, everyone.id], [everyone.id]], 'from tomorrow on');
});
