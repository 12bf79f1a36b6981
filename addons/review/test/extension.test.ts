import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';

/** By the total of the order, what the extension answers. */
const extensions = tempFile(
  'judge.mjs',
  `export default [
     { name: 'silent' },
     { name: 'judge', judgeReferral(referral) {
       switch (referral.total) {
         case 101: return { action: 'note', reason: 'Noted by us: ' + JSON.stringify(referral) };
         case 102: return { action: 'hold', reason: 'Held by us.' };
         case 103: return { action: 'reject', reason: 'Rejected by us.' };
         case 104: throw new Error('broken');
         case 105: return Promise.reject(new Error('later'));
         case 106: return { action: 'pay', reason: 'No such action.' };
         case 107: return { action: 'hold', reason: 'x'.repeat(501) };
         case 108: return { action: 'hold', reason: ' ' };
         case 109: return true;
         case 110: return null;
       }
     } },
   ];`,
);
const app = await openTestApp({ config: { extensions } });
const admin = await app.key('admin', 'read,write,manage');

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(`/svc/store/v1${path}`, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

let made = 0;

/** An order of a new affiliate: its commission, and the cases that it opened. */
async function judge(total: number) {
  const login = `judged${++made}`;
  const { id } = await send('POST', '/affiliates', { login, email: `${login}@test.example` });
  await send('POST', '/coupons', { code: login, user_id: id });
  await send('PUT', `/orders/${++made}`, {
    date: '2026-03-01T10:00:00Z',
    status: 'completed',
    total,
    country: 'AU',
    customer: { email: 'c@private.example' },
    coupon_codes: [login],
  });
  const cases = await send('GET', `/cases?rule=extension&affiliate_id=${id}`);
  const { available, in_review } = await send('GET', `/affiliates/${id}/balance`);
  return { id, cases, available, in_review };
}

describe('judgeReferral', () => {
  test('notes: the case has its reason as the sentence, the money is not held', async () => {
    const { id, cases, in_review } = await judge(101);
    const [{ rule, state, reason }, ...others] = cases;
    assert.deepEqual([rule, state, in_review, others], ['extension', 'open', 0, []]);
    const { order_id, coupon_id, ...seen } = JSON.parse(reason.slice('Noted by us: '.length));
    assert.ok(order_id > 0 && coupon_id > 0);
    assert.deepEqual(seen, {
      user_id: id,
      click_id: null,
      store_id: null,
      placed_at: Date.parse('2026-03-01T10:00:00Z'),
      status: 'completed',
      total: 101,
      discount: 0,
      currency: app.site.currency.code,
      country: 'AU',
      mail_domain: 'private.example',
    });
  });

  test('holds, and rejects', async () => {
    const held = await judge(102);
    assert.deepEqual([held.cases[0].reason, held.in_review], ['Held by us.', 10.2]);
    const rejected = await judge(103);
    const [{ state, reason }] = rejected.cases;
    assert.deepEqual([state, reason], ['rejected', 'Rejected by us.']);
    assert.deepEqual([rejected.in_review, rejected.available], [0, 0]);
  });

  test('a failure or an answer that is no verdict loses neither order nor commission', async () => {
    for (const total of [104, 105, 106, 107, 108, 109]) {
      app.logs.length = 0;
      const { cases, available } = await judge(total);
      assert.deepEqual([cases, available], [[], total / 10], String(total));
      assert.ok(app.logs.some((line) => line.includes('judgeReferral failed')));
    }
  });

  test('no answer opens no case', async () => {
    app.logs.length = 0;
    for (const total of [100, 110]) assert.deepEqual((await judge(total)).cases, []);
    assert.ok(!app.logs.some((line) => line.includes('judgeReferral')));
  });
});
