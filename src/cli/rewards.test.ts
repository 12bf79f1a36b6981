import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../test/support/harness.ts';
import type { CommandContext } from '../kernel/declare/command.ts';
import { list, test as tryOrder } from './rewards.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const post = (path: string, json: object) =>
  app.call(`/svc/store/v1${path}`, { method: 'POST', key: admin, json });
let printed = '';
const context: CommandContext = {
  withSite: (work) => work(app.site),
  print: (_value, text) => {
    printed = text();
  },
};
await post('/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await post('/rewards/rules', { what: { categories: ['candles'] }, rate: { percent: 50 } });

test('rewards list: the rules with their positions, then the built-in ones', async () => {
  await list(context);
  const lines = printed.split('\n');
  assert.match(lines[0]!, /^1\. .*50.* \[rule 1\]$/);
  assert.match(lines.at(-1)!, /^- {2}.* \[store\]$/);
});

test('rewards test: what an order would earn, and by which rule', async () => {
  const flags = { total: '80', codes: 'MAYA10', products: '12=80', categories: '', tags: '' };
  await tryOrder(context, flags);
  assert.match(printed, /^8 USD for .* \(MAYA10\)/);
  await tryOrder(context, { ...flags, categories: 'candles' });
  assert.match(printed, /^40 USD for /);
  await tryOrder(context, { ...flags, codes: 'NONE' });
  assert.match(printed, /no affiliate/);
  await assert.rejects(tryOrder(context, { ...flags, products: '12' }), /products/);
});
