import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from './support/harness.ts';

const STORE = '/svc/store/v1';

interface Example {
  readonly rules: object[];
  readonly orders: { items?: { total: number }[]; total?: number; coupon_codes?: string[] }[];
  readonly earns: number[];
}

/** The sections below headings of the third level, by their titles. */
function sectionsOf(path: string): Map<string, string> {
  const text = readFileSync(new URL(`../docs/${path}`, import.meta.url), 'utf8');
  const sections = text.matchAll(/^### (\d+\. [^\n]*)\n(.*?)(?=^##|(?![^]))/gms);
  return new Map([...sections].map(([, title, content]) => [title!, content!]));
}

const inGuide = sectionsOf('guides/rewards.md');
const byApi = sectionsOf('api/reward-rules.md');

describe('the examples of reward rules', () => {
  test('are the same ten for owners and by API', () => {
    assert.equal(byApi.size, 10);
    assert.deepEqual([...inGuide.keys()], [...byApi.keys()]);
  });

  for (const [title, content] of byApi) {
    test(title, async () => {
      // The documents have examples of this shape only; anything else fails below.
      const { rules, orders, earns } = JSON.parse(
        /```json\n(.*?)```/s.exec(content)![1]!,
      ) as Example;
      const app = await openTestApp({ settings: { 'commission.percent': 10 } });
      const key = await app.key('admin', 'read,write,manage');
      const send = async (method: string, path: string, body: object) => {
        const reply = await app.call(STORE + path, { method, key, json: body });
        assert.ok(reply.status < 300, reply.text);
        return reply.body;
      };
      await send('POST', '/coupons', { code: 'CODE', user_id: idOf('maya') });
      const sentences: string[] = [];
      for (const rule of rules) {
        sentences.push((await send('POST', '/rewards/rules', rule)).sentence);
      }
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

      const told = inGuide.get(title)!;
      const quoted = [...told.matchAll(/^> (?:\d+\. )?(.+)$/gm)].map(([, sentence]) => sentence);
      assert.deepEqual(quoted, sentences);
      const amounts = [...told.matchAll(/\| +([\d.]+) \|$/gm)].map(([, amount]) => Number(amount));
      assert.deepEqual(amounts, earns);
    });
  }
});
