import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { DAY_MS } from '../../shared/durations.ts';

/** What a rule that is also for running subscriptions moves, before it is saved. */
const STORE = '/svc/store/v1';
const app = await openTestApp({ settings: { 'commission.renewals': 'always' } });
const admin = await app.key('admin', 'read,write,manage');
const send = async (method: string, path: string, json?: unknown): Promise<any> => {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
};
await send('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await send('POST', '/coupons', { code: 'TOM5', user_id: idOf('tomas') });

let lastOrder = 0;
/** Pays for a subscription; resolves to what all affiliates earn with it. */
async function pay(id: string, total: number, codes: string[] = [], more: object = {}) {
  const date = app.site.calendar.toLocal(app.site.clock());
  const order = { date, status: 'completed', total, coupon_codes: codes, subscription: { id } };
  const { referrals } = await send('PUT', `/orders/${++lastOrder}`, { ...order, ...more });
  return referrals.reduce((sum: number, one: { commission: number }) => sum + one.commission, 0);
}

const running = (rules: object[]) => send('POST', '/rewards/rules/running', { rules });

await pay('old', 1_000, ['MAYA10']);
app.advance(401 * DAY_MS);
await pay('one', 100, ['MAYA10']);
await pay('two', 200, ['TOM5']);
await pay('both', 50, ['MAYA10', 'TOM5']);
await pay('none', 70);
app.advance(30 * DAY_MS);
await pay('one', 100);
await pay('one', 120, [], { refunds: [{ id: 1, amount: 60 }] });

const rule = (percent: number, more: object = {}) => ({
  rate: { percent },
  running: true,
  ...more,
});

test('counts the subscriptions that change, and the money of their next payments', async () => {
  // 10 % of 120, 200 and twice 50.
  const unchanged = { subscriptions: 3, changed: 0, before: 42, after: 42, complete: true };
  assert.deepEqual(await running([]), unchanged);
  assert.deepEqual(await running([rule(15, { running: false })]), unchanged);
  assert.deepEqual(await running([rule(15, { active: false })]), unchanged);
  const all = { ...unchanged, changed: 3, after: 63 };
  assert.deepEqual(await running([rule(15)]), all);
  const ofTomas = rule(20, { who: { affiliates: [idOf('tomas')] } });
  assert.deepEqual(await running([ofTomas]), { ...unchanged, changed: 2, after: 67 });
  const fourth = rule(50, { order: { payment: 'renewal', payments: { from: 4, to: 4 } } });
  assert.deepEqual(await running([fourth]), { ...unchanged, changed: 1, after: 90 });
  const { body } = await app.call(`${STORE}/rewards/rules`, { key: admin });
  assert.deepEqual(body.rules, []);
});

test('is what the next payments earn after the rule is saved', async () => {
  const limit = { amount: 25, per: 'affiliate', window: { kind: 'always' } };
  const saved = rule(15, { order: { min_total: 100 }, limit });
  const { after, changed } = await running([saved]);
  // Each payment is computed alone: 15 % of 120, 25 of 30 for 200, and 10 % of 50 twice.
  assert.deepEqual([after, changed], [18 + 25 + 10, 2]);
  const { id } = await send('POST', '/rewards/rules', saved);
  const now = await running([{ ...saved, id }]);
  assert.deepEqual([now.before, now.after, now.changed], [after, after, 0]);
  const paid = [await pay('one', 120), await pay('two', 200), await pay('both', 50)];
  assert.deepEqual(paid, [18, 25, 10]);
});

test('refuses what POST /rewards/rules refuses', async () => {
  const json = { rules: [rule(15), { rate: { percent: 101 } }] };
  const reply = await app.call(`${STORE}/rewards/rules/running`, {
    method: 'POST',
    key: admin,
    json,
  });
  assert.equal(reply.status, 400);
});
