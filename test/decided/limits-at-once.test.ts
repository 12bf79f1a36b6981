import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testServer } from '../postgres/databases.ts';
import { serveBeside } from '../postgres/serve-beside.ts';
import { idOf, openTestApp } from '../support/harness.ts';

/** Orders that count at the same moment share one limit; on PostgreSQL two instances receive them. */
const STORE = '/svc/store/v1';
const AT_ONCE = 20;
const LIMIT = 55;

let close = async () => {};
// Before the one that takes the database with it.
after(() => close());
const app = await openTestApp();
const apps = [app];
if (testServer() !== undefined) {
  const beside = await serveBeside(app);
  close = beside.close;
  apps.push(beside.app);
}
const key = await app.key('admin', 'read,write,manage');
let orders = 0;

async function send(i: number, path: string, json: unknown, method = 'POST') {
  const reply = await apps[i % apps.length]!.call(STORE + path, { method, key, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const put = (id: number, status: string, code: string, email: string) => {
  const json = { date: '2026-03-01T10:00:00', status, total: 100, coupon_codes: [code] };
  return send(id, `/orders/${id}`, { ...json, customer: { email } }, 'PUT');
};

async function unpaidOf(coupon: { id: number }): Promise<number> {
  const { body } = await app.call(`/coupons/${coupon.id}/stats`, { key });
  return body.unpaid_commission;
}

describe(`${AT_ONCE} orders that are completed at once`, () => {
  for (const [per, first] of [
    ['affiliate', 'pending'],
    ['affiliate', undefined],
    ['customer', 'pending'],
    ['customer', undefined],
  ] as const) {
    test(`take what a limit per ${per} has, ${first ?? 'not known'} before`, async () => {
      const code = `${per}-${first ?? 'new'}`;
      const coupon = await send(0, '/coupons', { code, user_id: idOf('maya') });
      const limit = { amount: LIMIT, per, window: { kind: 'month' } };
      const who = { coupons: [coupon.id] };
      const rule = await send(0, '/rewards/rules', { who, rate: { percent: 10 }, limit });
      const ids = Array.from({ length: AT_ONCE }, () => ++orders);
      const email = `${code}@shoppers.example`;
      if (first !== undefined) for (const id of ids) await put(id, first, code, email);
      await Promise.all(ids.map((id) => put(id, 'completed', code, email)));
      assert.equal(await unpaidOf(coupon), LIMIT);

      // What one of them returns is for the others.
      await put(ids[0]!, 'cancelled', code, email);
      const back = LIMIT - (await unpaidOf(coupon));
      const others = [++orders, ++orders, ++orders];
      await Promise.all(others.map((id) => put(id, 'completed', code, email)));
      assert.equal(await unpaidOf(coupon), LIMIT, `${back} were returned`);
      await send(0, `/rewards/rules/${rule.id}`, undefined, 'DELETE');
    });
  }
});
