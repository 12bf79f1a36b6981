import { invoke } from '../../kernel/call/invoke.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { changeAffiliate } from '../../modules/affiliates/change-affiliate.ts';
import { createBonus } from '../../modules/bonuses/bonus-operations.ts';
import { createGroup } from '../../modules/groups/index.ts';
import { createRule } from '../../modules/rewards/rule-operations.ts';
import { changeSettings } from '../../modules/settings/index.ts';

const CREATORS = 'Creators';
/** Relative to an order, so that the demo is the same on every day of a month. */
const LAST_30_DAYS = { kind: 'days', days: 30 } as const;

/** One rule of each kind, and two bonuses. */
export async function addDemoRewards(site: Site, creators: readonly number[]): Promise<void> {
  await invoke(site, createGroup, { name: CREATORS });
  for (const id of creators) await invoke(site, changeAffiliate, { id, groups: [CREATORS] });
  const sales = { by: 'sales', counts: 'granted', window: LAST_30_DAYS } as const;
  const steps = [
    { from: 0, percent: 10 },
    { from: 1_000, percent: 12 },
    { from: 10_000, percent: 15 },
  ];
  for (const rule of [
    { name: 'Accessories', what: { categories: ['accessories'] }, rate: { excluded: true } },
    {
      name: 'Monthly box',
      order: { payment: 'renewal' },
      rate: { percent: 5 },
      limit: { payments: 12 },
    },
    { name: 'Gift sets', what: { categories: ['gift-sets'] }, rate: { percent: 15 } },
    { name: 'New customers', order: { customer: 'first' }, rate: { fixed_per_order: 2 } },
    { name: 'Creators', who: { groups: [CREATORS] }, rate: { steps: { ...sales, steps } } },
  ]) {
    await invoke(site, createRule, rule);
  }
  // The orders of the demo are sent by a program, which has no store to ask for names.
  const names = { accessories: 'Accessories', 'gift-sets': 'Gift sets' };
  await invoke(site, changeSettings, { 'rewards.category_names': names });
  for (const bonus of [
    { name: 'First sale', target: { event: 'first_order' }, pays: { amount: 10 } },
    { name: 'Good month', target: { ...sales, at: 2_000 }, pays: { amount: 50 } },
  ]) {
    await invoke(site, createBonus, bonus);
  }
}
