import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { createKey } from '../../../src/modules/keys/index.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;

const call = (method: string, path: string, json?: unknown, key = admin) =>
  app.call(STORE + path, { method, key, json });

async function send(method: string, path: string, json?: unknown, key = admin) {
  const reply = await call(method, path, json, key);
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const setRule = (name: string, change: object) => send('PATCH', `/review/rules/${name}`, change);
await setRule('throwaway_mail', { action: 'hold', domains: ['trash.example'] });

let count = 0;

async function join(percent: number) {
  const login = `bea${++count}`;
  const email = `${login}@acme.shop`;
  const { id } = await send('POST', '/affiliates', { login, email });
  const coupon = await send('POST', '/coupons', {
    code: login,
    user_id: id,
    percent_override: percent,
  });
  const scopes = 'read,write';
  const { token } = await invoke<{ token: string }>(app.site, createKey, { user_id: id, scopes });
  return { id: id as number, email, login, couponId: coupon.id as number, key: token };
}

let lastOrder = 0;

async function order(codes: string[], email: string, changes: object = {}): Promise<number> {
  const id = ++lastOrder;
  await send('PUT', `/orders/${id}`, {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    total: 100,
    coupon_codes: codes,
    customer: { email },
    ...changes,
  });
  return id;
}

/** An order that is credited to two affiliates, and held. */
async function held() {
  const [maya, tomas] = [await join(10), await join(30)];
  const orderId = await order([maya.login, tomas.login], 'x@trash.example');
  const casesOf = (id: number) => send('GET', `/cases?affiliate_id=${id}`);
  const [[ofMaya], [ofTomas]] = [await casesOf(maya.id), await casesOf(tomas.id)];
  return { maya, tomas, orderId, ofMaya, ofTomas };
}

const mailsTo = async (email: string, template: string) =>
  (await outbox(app.site)).filter(
    (mail) => mail.template === template && mail.to_address === email,
  );

test('each affiliate of an order has a case of their own: money, mail and answer', async () => {
  const { maya, tomas, orderId, ofMaya, ofTomas } = await held();
  assert.notEqual(ofMaya.id, ofTomas.id);
  assert.deepEqual([ofMaya.held, ofTomas.held], [10, 30]);
  for (const [{ id, key, email }, amount] of [
    [maya, 10],
    [tomas, 30],
  ] as const) {
    const own = await send('GET', `/affiliates/${id}/cases`, undefined, key);
    assert.deepEqual(
      own.map((one: any) => [one.held, one.user_id, one.subject]),
      [[amount, id, { type: 'order', id: orderId }]],
    );
    assert.equal((await mailsTo(email, 'case-opened')).length, 1);
    assert.equal((await send('GET', `/affiliates/${id}/balance`)).in_review, amount);
  }
  const answer = { text: 'A customer of mine.' };
  const foreign = await call('POST', `/cases/${ofMaya.id}/answer`, answer, tomas.key);
  assert.equal(foreign.status, 404);
  await send('POST', `/cases/${ofTomas.id}/answer`, answer, tomas.key);
  assert.equal((await send('GET', `/cases/${ofMaya.id}`)).answer, null);
  const about = await send('GET', `/cases?order_id=${orderId}`);
  assert.deepEqual(about.map(({ id }: { id: number }) => id).sort(), [ofMaya.id, ofTomas.id]);
});

test('a decision is about one of them', async () => {
  const { maya, tomas, ofMaya, ofTomas } = await held();
  await send('POST', `/cases/${ofTomas.id}/decide`, { decision: 'suspend' });
  const statusOf = async (id: number) =>
    (await app.call(`/affiliates/${id}`, { key: admin })).body.status;
  assert.deepEqual([await statusOf(maya.id), await statusOf(tomas.id)], ['active', 'suspended']);
  await send('POST', `/cases/${ofMaya.id}/decide`, { decision: 'clear' });
  assert.deepEqual(await payouts.pools(maya.couponId), [10, 0, 0]);
  assert.deepEqual(await payouts.pools(tomas.couponId), [0, 0, 0]);
  await send('POST', `/cases/${ofTomas.id}/reopen`);
  await send('POST', `/cases/${ofTomas.id}/decide`, { decision: 'clear' });
  assert.deepEqual(await payouts.pools(tomas.couponId), [30, 0, 0]);
  assert.equal((await mailsTo(tomas.email, 'case-decided')).length, 2);
  assert.equal((await mailsTo(maya.email, 'case-decided')).length, 1);
});

test('a hold that joins a note is the rule of the case, and the affiliate gets a mail', async () => {
  const maya = await join(10);
  await setRule('first_order_above', { action: 'note', amount: 50 });
  const noted = await order([maya.login], 'x@other.example');
  const [note] = await send('GET', `/cases?order_id=${noted}`);
  assert.deepEqual([note.rule, note.held], ['first_order_above', 0]);
  assert.deepEqual(await mailsTo(maya.email, 'case-opened'), []);
  const tomas = await join(10);
  const both = await order([tomas.login], 'x@trash.example');
  const [found] = await send('GET', `/cases?order_id=${both}`);
  assert.deepEqual(found.evidence.map(({ rule }: { rule: string }) => rule).sort(), [
    'first_order_above',
    'throwaway_mail',
  ]);
  assert.deepEqual([found.rule, found.held], ['throwaway_mail', 10]);
  assert.match(found.reason, /trash\.example/);
  assert.equal((await mailsTo(tomas.email, 'case-opened')).length, 1);
  await setRule('first_order_above', { action: 'off' });
});

test('the ledger and the figures agree after all of this', () => payouts.assertClean());
