import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from './support/harness.ts';

const GUIDE = new URL('../docs/guides/rewards.md', import.meta.url);
const STORE = '/svc/store/v1';

interface Example {
  readonly rules: object[];
  readonly orders: { items?: { total: number }[]; total?: number; coupon_codes?: string[] }[];
  readonly earns: number[];
}

const examples = [...readFileSync(GUIDE, 'utf8').matchAll(/^### ([^\n]*)\n\n```json\n(.*?)```/gms)];

describe('the examples of the guide to rewards', () => {
  test('are ten', () => assert.equal(examples.length, 10));

  for (const [, title, json] of examples) {
    test(title, async () => {
      // The guide has examples of this shape only; anything else fails below.
      const { rules, orders, earns } = JSON.parse(json!) as Example;
      const app = await openTestApp({ settings: { 'commission.percent': 10 } });
      const key = await app.key('admin', 'read,write,manage');
      const send = async (method: string, path: string, body: object) => {
        const reply = await app.call(STORE + path, { method, key, json: body });
        assert.ok(reply.status < 300, reply.text);
        return reply.body;
      };
      await send('POST', '/coupons', { code: 'CODE', user_id: idOf('maya') });
      for (const rule of rules) await send('POST', '/rewards/rules', rule);
      const earned: number[] = [];
      for (const [i, given] of orders.entries()) {
        const items = given.items?.map((item) => ({ ...item, subtotal: item.total }));
        const total = given.total ?? items!.reduce((sum, item) => sum + item.total, 0);
        const { referrals } = await send('PUT', `/orders/${i + 1}`, {
          date: '2026-11-10T12:00:00',
          status: 'completed',
          coupon_codes: ['CODE'],
          ...given,
          total,
          ...(items && { items }),
        });
        assert.equal(referrals.length, 1, `order ${i + 1} is credited`);
        earned.push(referrals[0].commission);
      }
      assert.deepEqual(earned, earns);
      const { differences } = (await app.call(`${STORE}/ledger/verify`, { key })).body;
      assert.deepEqual(differences, []);
    });
  }
});
