import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../../test/postgres/databases.ts';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { RULES_MAX } from './rule-schema.ts';
import { rewardRules, UNSAVED, type NewRule } from './rules.ts';

/** With as many rules as there may be, every screen asks the database as often as with a few. */
const STORE = '/svc/store/v1';
const FEW = 8;

const app = await openTestApp();
const { site } = app;
const key = await app.key('admin', 'read,write,manage');
const send = async (method: string, path: string, json?: object) => {
  const reply = await app.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
  assert.ok(reply.status < 300, `${method} ${path} ${reply.text}`);
  return reply.body;
};

const nothing = { name: '', active: true, who: {}, what: {}, order: {}, running: false };
const always = { from: null, to: null, limit: null };
const kinds: ((i: number) => Partial<NewRule>)[] = [
  (i) => ({ who: { affiliates: [idOf('maya')] }, what: { products: [String(i)] } }),
  (i) => ({ who: { coupons: [1 + (i % 2)] }, what: { categories: [`category ${i}`] } }),
  (i) => ({ who: { groups: [1] }, order: { min_total: i } }),
  (i) => ({ what: { tags: [`tag ${i}`] }, order: { customer: 'first', stores: [i] } }),
];

/** Directly, because each change by the API answers with the whole list. */
async function addRules(from: number, to: number): Promise<void> {
  await site.database.transaction(async (tx) => {
    for (let i = from; i <= to; i += 1) {
      const rate = { percent: 1 + (i % 30), fixed_per_order: null, fixed_per_product: null };
      const rule: NewRule = { ...nothing, ...always, ...kinds[i % kinds.length]!(i), rate };
      const item = { id: UNSAVED, ...rule };
      await rewardRules.rows.insert(tx, { item, position: i, version: 1 }, site.clock());
    }
  });
}

/** Each change differs from all before it, so that none is recognised as a repetition. */
let i = 0;

/** The statements of the screens of rules, of an affiliate and of an order. */
async function statements(): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  const count = async (name: string, work: () => Promise<unknown>) => {
    counted[name] = await statementsOf(site.database, work);
  };
  await count('list', () => send('GET', '/rewards/rules'));
  await count('save', () => send('PATCH', '/rewards/rules/1', { name: `Name ${(i += 1)}` }));
  await count('reorder', async () => {
    const { rules, version } = await send('GET', '/rewards/rules');
    const ids = rules.map(({ id }: { id: number }) => id);
    await send('PUT', '/rewards/rules/order', { ids: [...ids.slice(1), ids[0]], version });
  });
  await count('portal', () => send('GET', `/affiliates/${idOf('maya')}/rewards`));
  await count('order page', () => send('GET', '/orders/1'));
  await count('new order', () => order(100 + (i += 1)));
  return counted;
}

function order(id: number) {
  const items = [{ product_id: '4', category_ids: ['category 5'], tag_ids: ['tag 7'] }];
  return send('PUT', `/orders/${id}`, {
    date: '2026-01-10T10:00:00',
    status: 'completed',
    total: 500,
    coupon_codes: ['MAYA'],
    customer: { email: `c${id}@shop.example` },
    items: items.map((item) => ({ ...item, quantity: 1, subtotal: 500, total: 500 })),
  });
}

test('the number of statements does not grow with the rules', async () => {
  await send('POST', '/groups', { name: 'Gold' });
  await send('POST', '/coupons', { code: 'MAYA', user_id: idOf('maya') });
  await send('POST', '/coupons', { code: 'TOMAS', user_id: idOf('tomas') });
  await addRules(1, FEW - 1);
  await send('POST', '/rewards/rules', { rate: { percent: 3 } });
  await order(1);
  const few = await statements();
  await addRules(FEW + 1, RULES_MAX - 1);
  await send('POST', '/rewards/rules', { rate: { percent: 3 } });
  assert.equal((await send('GET', '/rewards/rules')).rules.length, RULES_MAX);
  // SQLite runs a prepared statement for each row of a change; PostgreSQL gets all rows in one.
  const written = testServer() === undefined ? RULES_MAX - FEW : 0;
  assert.deepEqual(await statements(), { ...few, reorder: few['reorder']! + written });
});
