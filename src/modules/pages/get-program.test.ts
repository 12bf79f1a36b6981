import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';

const app = await openTestApp({
  settings: { 'site.name': 'Alpine Goods', 'payouts.threshold': 50, 'commission.percent': 12.5 },
});

test('the facts about the program are public, and sent again only when they changed', async () => {
  const first = await app.call('~/svc/store/v1/program');
  assert.equal(first.status, 200);
  assert.equal(first.body.name, 'Alpine Goods');
  assert.equal(first.body.currency_decimals, 2);
  assert.equal(first.body.payout_minimum, 50);
  assert.equal(first.body.commission.percent, 12.5);
  const headers = { 'If-None-Match': first.headers.get('etag')! };
  assert.equal((await app.call('~/svc/store/v1/program', { headers })).status, 304);
});
