import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/kernel/declare/errors.ts';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { holdOrder } from '../../../test/support/hold-order.ts';
import { decide, list, show } from './case-command.ts';

const app = await openTestApp({ settings: { 'commission.percent': 10 } });
const key = await app.key('admin', 'read,write,manage');
const json = { code: 'ANN', user_id: idOf('maya') };
await app.call('/svc/store/v1/coupons', { method: 'POST', key, json });
const caseId = String(await holdOrder(app, { id: 41, code: 'ANN' }));

/** Runs a command and returns what it prints. */
async function printed(command: (context: Parameters<typeof list>[0]) => Promise<void>) {
  let text = '';
  await command({
    withSite: (work) => work(app.site),
    print: (_value, asText) => (text = asText()),
  });
  return text;
}

test('cases list shows what is open, by rule and by affiliate', async () => {
  const open = await printed((context) => list(context, { state: 'open' }));
  assert.match(open, /throwaway_mail\s+order 41\s+\S.*\s+10 USD/);
  const ofRule = { state: 'open', rule: 'same_people' };
  assert.equal(await printed((context) => list(context, ofRule)), 'No cases.');
  const ofOther = { state: 'open', affiliate: '999' };
  assert.equal(await printed((context) => list(context, ofOther)), 'No cases.');
});

test('cases show says what was found, what is held and what happened', async () => {
  const shown = await printed((context) => show(context, caseId));
  assert.match(
    shown,
    /^Case 1 about order 41 is open\.\nAffiliate: .+ \(\d+\)\nHeld: 10 USD \(orders 41\)\n/,
  );
  assert.match(shown, /gone\.example\..*\[throwaway_mail\]\n/);
  assert.match(shown, /opened throwaway_mail$/);
});

test('cases decide decides a case once', async () => {
  const wrong = printed((context) => decide(context, caseId, 'maybe', {}));
  await assert.rejects(
    wrong,
    (error) => error instanceof ApiError && error.definition.status === 400,
  );
  const quietly = { note: 'A regular customer.', quiet: true } as const;
  const done = await printed((context) => decide(context, caseId, 'clear', quietly));
  assert.equal(done, 'Case 1 is cleared.');
  const again = printed((context) => decide(context, caseId, 'reject', {}));
  await assert.rejects(again, /decided already/);
  assert.match(await printed((context) => list(context, { state: 'decided' })), /cleared/);
  assert.match(
    await printed((context) => show(context, caseId)),
    /cleared.* A regular customer\.$/,
  );
});
