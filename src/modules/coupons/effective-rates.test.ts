import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { query } from '../../db/statements/query.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { createGroup } from '../groups/index.ts';
import { effectiveRates } from './effective-rates.ts';

const app = await openTestApp({
  settings: { 'commission.fixed_per_order': 0.125, 'commission.fixed_per_product': 3 },
});
const join = query<{ user_id: number; group_id: number }>((db, p) =>
  db.insertInto('affiliate_groups').values({ user_id: p.user_id, group_id: p.group_id }),
);
for (const rates of [
  { name: 'First', fixed_per_order: 0 },
  { name: 'Second', percent_override: 20, fixed_per_order: 5 },
  { name: 'Third', percent_override: 30 },
]) {
  const { id } = await invoke<{ id: number }>(app.site, createGroup, rates);
  await app.site.database.transaction((tx) =>
    tx.run(join, { user_id: idOf('maya'), group_id: id }),
  );
}

const none = { percent: null, fixed_per_order: null, fixed_per_product: null };
const ratesOf = (coupon: Partial<Parameters<typeof effectiveRates>[2]>) =>
  effectiveRates(app.site.database.read, app.site, { user_id: null, ...none, ...coupon });

describe('the rates of a coupon', () => {
  test("are the store's without an affiliate, rounded to minor units", async () => {
    assert.deepEqual(await ratesOf({}), {
      percent: { value: 10, source: 'store' },
      fixedPerOrder: { value: 13, source: 'store' },
      fixedPerProduct: { value: 300, source: 'store' },
    });
  });

  test('come from the first group that sets each of them; zero counts as set', async () => {
    assert.deepEqual(await ratesOf({ user_id: idOf('maya') }), {
      percent: { value: 20, source: 'group' },
      fixedPerOrder: { value: 0, source: 'group' },
      fixedPerProduct: { value: 300, source: 'store' },
    });
  });

  test("are the coupon's own if it sets them", async () => {
    const own = { percent: '0', fixed_per_product: 7 };
    assert.deepEqual(await ratesOf({ user_id: idOf('maya'), ...own }), {
      percent: { value: 0, source: 'coupon' },
      fixedPerOrder: { value: 0, source: 'group' },
      fixedPerProduct: { value: 7, source: 'coupon' },
    });
  });

  test('do not depend on the groups of other affiliates', async () => {
    const { percent } = await ratesOf({ user_id: idOf('tomas') });
    assert.deepEqual(percent, { value: 10, source: 'store' });
  });
});
