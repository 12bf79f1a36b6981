import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { openTestApp } from '../../../test/support/harness.ts';
import { pruneReview } from '../prune.ts';
import type { OrderTrace } from './trace-rows.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const { calendar, clock } = app.site;

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const tried = (rule: string, json: object = {}) => send('POST', `/review/rules/${rule}/try`, json);

let lastOrder = 0;

async function put(code: string, email: string | undefined, daysAgo: number, total = 100) {
  return send('PUT', `/orders/${++lastOrder}`, {
    date: calendar.toLocal(clock() - daysAgo * DAY_MS),
    status: 'completed',
    total,
    coupon_codes: [code],
    ...(email !== undefined && { customer: { email } }),
  });
}

async function join(login: string, email: string, ...codes: string[]) {
  const { id } = await send('POST', '/affiliates', { login, email });
  for (const code of codes) await send('POST', '/coupons', { code, user_id: id });
}

before(async () => {
  await join('ann', 'Ann.Lee+shop@gmail.com', 'ANN', 'ANN2');
  await join('bob', 'bob@acme.shop', 'BOB');
  await put('ANN', 'ann.lee+shop@gmail.com', 80, 2_000);
  await put('ANN2', 'annlee@gmail.com', 20, 3_000);
  await put('ANN', 'someone@gmail.com', 10);
  await put('BOB', 'colleague@ACME.shop', 100, 5_000);
  await put('BOB', 'colleague@acme.shop', 40, 5_000);
  await put('BOB', 'x@mailinator.com', 5);
  // Credited to another affiliate.
  await put('ANN', 'colleague@acme.shop', 3);
  await put('ANN', 'bob@acme.shop', 2);
});

test('own orders count, also those that earn nothing', async () => {
  assert.deepEqual(await tried('own_order'), { orders: 2, amount: 0, affiliates: 1 });
  assert.deepEqual(await tried('own_order', { days: 30 }), { orders: 1, amount: 0, affiliates: 1 });
});

test('own orders that earn count with their commission', async () => {
  await send('PATCH', '/review/rules/own_order', { action: 'note' });
  await put('BOB', 'bob@acme.shop', 1);
  assert.deepEqual(await tried('own_order', { days: 10 }), {
    orders: 1,
    amount: 10,
    affiliates: 1,
  });
});

test('the first order of an affiliate counts, of all coupons', async () => {
  const rule = 'first_order_above';
  // It is the first of both coupons; Bob's first order was placed earlier than 90 days ago.
  assert.deepEqual(await tried(rule, { amount: 1_999.99 }), {
    orders: 1,
    amount: 0,
    affiliates: 1,
  });
  assert.deepEqual(await tried(rule, { amount: 2_000 }), { orders: 0, amount: 0, affiliates: 0 });
  assert.deepEqual(await tried(rule, { days: 30, amount: 1 }), {
    orders: 0,
    amount: 0,
    affiliates: 0,
  });
});

test('customers at the domain of their affiliate count, unless the domain is public', async () => {
  assert.deepEqual(await tried('same_people'), { orders: 2, amount: 510, affiliates: 1 });
  assert.deepEqual(await tried('same_people', { public_domains: ['Acme.shop'] }), {
    orders: 0,
    amount: 0,
    affiliates: 0,
  });
});

test('throw-away mailboxes of customers count, and those at own domains', async () => {
  assert.deepEqual(await tried('throwaway_mail'), { orders: 1, amount: 10, affiliates: 1 });
  assert.deepEqual(await tried('throwaway_mail', { domains: ['ACME.shop'], days: 4 }), {
    orders: 3,
    amount: 30,
    affiliates: 2,
  });
});

test('orders count whose click came from an ad or a banned host', async () => {
  const click = async (fields: object) =>
    (await send('POST', '/clicks', { code: 'BOB', ...fields })).ids[0] as number;
  const ad = await click({ landing: 'https://store.example/?gclid=1&x=2', campaign: 'own' });
  const deals = await click({ referrer: 'https://www.deals.example/codes' });
  await click({ referrer: 'https://www.deals.example/codes' });
  for (const click_id of [ad, deals, deals]) {
    const date = calendar.toLocal(clock());
    const json = { date, status: 'completed', total: 100, click_id };
    await send('PUT', `/orders/${++lastOrder}`, json);
  }
  const one = { orders: 1, amount: 10, affiliates: 1 };
  const two = { orders: 2, amount: 20, affiliates: 1 };
  const none = { orders: 0, amount: 0, affiliates: 0 };
  assert.deepEqual(await tried('paid_ads'), one);
  assert.deepEqual(await tried('paid_ads', { campaigns: ['Own'] }), none);
  assert.deepEqual(await tried('paid_ads', { parameters: ['msclkid'] }), none);
  assert.deepEqual(await tried('banned_referrers'), none);
  assert.deepEqual(await tried('banned_referrers', { hosts: ['*.deals.example'] }), two);
});

test('patterns count the orders of the days on which they would have been seen', async () => {
  await join('leo', 'leo@shop.example', 'LEO');
  for (const code of ['ANN', 'BOB']) await put(code, undefined, 6);
  for (let i = 0; i < 24; i++) await put('LEO', undefined, 6);
  const day = { orders: 24, amount: 240, affiliates: 1 };
  assert.deepEqual(await tried('code_leaked'), day);
  assert.deepEqual(await tried('code_leaked', { orders: 25 }), {
    orders: 0,
    amount: 0,
    affiliates: 0,
  });
  assert.deepEqual(await tried('unusual_volume', { days: 10 }), day);
  assert.deepEqual(await tried('many_refunds'), { orders: 0, amount: 0, affiliates: 0 });
  const orders = Array.from({ length: 12 }, (_, i) => lastOrder - i);
  for (const id of orders) await send('PUT', `/orders/${id}`, refundedOrder());
  // A refunded order earns nothing, and is no order of its day any more.
  const refunds = await tried('many_refunds');
  assert.deepEqual([refunds.orders, refunds.affiliates], [12, 1]);
});

const refundedOrder = () => ({
  date: calendar.toLocal(clock() - 6 * DAY_MS),
  status: 'refunded',
  total: 100,
  coupon_codes: ['LEO'],
});

test('orders that a click led to are not those of a leak, and most codes do not leak at once', async () => {
  await join('mia', 'mia@shop.example', 'MIA');
  const { ids } = await send('POST', '/clicks', { code: 'MIA' });
  const clicked = { date: calendar.toLocal(clock()), status: 'completed', click_id: ids[0] };
  for (let i = 0; i < 5; i++) await send('PUT', `/orders/${++lastOrder}`, { ...clicked, total: 9 });
  const leaked = () => tried('code_leaked', { days: 1, orders: 4 });
  assert.equal((await leaked()).orders, 0);
  const leak = async (code: string) => {
    await join(code.toLowerCase(), `${code}@shop.example`, code);
    for (let i = 0; i < 4; i++) await put(code, undefined, 0);
  };
  for (const code of ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE']) await leak(code);
  assert.deepEqual(await leaked(), { orders: 20, amount: 200, affiliates: 5 });
  await leak('SIX');
  assert.equal((await leaked()).orders, 0);
});

test('it changes nothing: thresholds that are sent are used once', async () => {
  await tried('throwaway_mail', { domains: ['acme.shop'] });
  const rules = await send('GET', '/review/rules');
  const rule = rules.find(({ name }: { name: string }) => name === 'throwaway_mail');
  assert.deepEqual(rule.domains, []);
});

test('it refuses an option of another rule, and more than 90 days', async () => {
  const path = `${STORE}/review/rules/own_order/try`;
  for (const json of [{ amount: 3 }, { action: 'hold' }, { days: 91 }, { days: 0 }]) {
    const { status } = await app.call(path, { method: 'POST', key: admin, json });
    assert.equal(status, 400, JSON.stringify(json));
  }
});

test('no domain is stored readably, none of a public provider, and none after 90 days', async () => {
  const traces = () =>
    app.site.database.read.all(
      query<object, OrderTrace>((db) => db.selectFrom('review_order_traces').selectAll()),
      {},
    );
  const found = await traces();
  const hashes = new Set(found.map(({ domain_hash }) => domain_hash));
  // Three orders had customers at a public provider, and 58 none.
  assert.deepEqual([found.length, hashes.size], [lastOrder - 61, 2]);
  assert.ok(!JSON.stringify(found).includes('acme'));
  app.advance(90 * DAY_MS);
  await pruneReview.run(app.site);
  assert.equal((await traces()).length, found.length);
  app.advance(1);
  await pruneReview.run(app.site);
  assert.deepEqual(await traces(), []);
});
