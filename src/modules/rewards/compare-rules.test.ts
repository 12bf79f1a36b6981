import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hiddenBy } from './compare-rules.ts';
import type { RewardRule } from './rule.ts';

const base: RewardRule = {
  id: 0,
  name: '',
  active: true,
  who: {},
  what: {},
  order: {},
  from: null,
  to: null,
  rate: { percent: 10, fixed_per_order: null, fixed_per_product: null },
  limit: null,
  running: false,
};
const everyRate = { percent: 5, fixed_per_order: 0, fixed_per_product: 1 };
const steps: RewardRule['rate'] = {
  steps: {
    by: 'sales',
    counts: 'granted',
    window: { kind: 'month' },
    steps: [{ from: 0, percent: 5 }],
  },
};
const list = (...rules: Partial<RewardRule>[]) =>
  rules.map((rule, i) => ({ ...base, id: i + 1, ...rule }));
const hidden = (...rules: Partial<RewardRule>[]) => hiddenBy(list(...rules), rules.length - 1);

describe('a rule is hidden by', () => {
  for (const [by, above, rule] of [
    ['the same rule', {}, {}],
    ['one for everyone', {}, { who: { groups: [1] } }],
    ['one for more groups', { who: { groups: [1, 2] } }, { who: { groups: [2] } }],
    ['one for everything', {}, { what: { tags: ['sale'] } }],
    ['one for more products', { what: { products: ['1', '2'] } }, { what: { products: ['2'] } }],
    ['one for any customer', { order: { customer: 'any' } }, { order: { customer: 'first' } }],
    ['one for the same payments', renewals(2, 12), renewals(3, 12)],
    ['one for all renewals', renewals(), renewals(3)],
    ['one for any payment', {}, renewals(3)],
    ['one with a lower minimum', { order: { min_total: 10 } }, { order: { min_total: 20 } }],
    [
      'one in more countries',
      { order: { countries: ['DE', 'AT'] } },
      { order: { countries: ['AT'] } },
    ],
    ['one via more', { order: { via: ['link', 'coupon'] } }, { order: { via: ['link'] } }],
    ['one of more stores', { order: { stores: [1, 2] } }, { order: { stores: [1] } }],
    ['one with more days', { from: '2026-01-01' }, { from: '2026-01-01', to: '2026-02-01' }],
    ['one that excludes', { rate: { excluded: true } }, { rate: everyRate }],
    ['steps', { rate: steps }, {}],
    ['one that sets more rates', { rate: everyRate }, { rate: { excluded: true } }],
    ['one with a limit, beyond which nothing is earned', { limit: { payments: 3 } }, {}],
    ['one also for running subscriptions', { running: true }, { running: true }],
  ] as [string, Partial<RewardRule>, Partial<RewardRule>][]) {
    test(by, () => assert.equal(hidden(above, rule), 1));
  }

  test('the first of several', () => {
    assert.equal(
      hidden({ rate: { ...base.rate, percent: null } }, { who: { groups: [1] } }, {}, {}),
      3,
    );
  });
});

describe('a rule is not hidden by', () => {
  for (const [by, above, rule] of [
    ['an inactive one', { active: false }, {}],
    ['one for a group', { who: { groups: [1] } }, {}],
    ['one for other groups', { who: { groups: [1] } }, { who: { groups: [1, 2] } }],
    [
      'one for affiliates with the ids of groups',
      { who: { affiliates: [1] } },
      { who: { groups: [1] } },
    ],
    ['one for products', { what: { products: ['1'] } }, {}],
    [
      'one for tags with the ids of categories',
      { what: { tags: ['1'] } },
      { what: { categories: ['1'] } },
    ],
    ['one for first orders', { order: { customer: 'first' } }, {}],
    ['one for repeat orders', { order: { customer: 'repeat' } }, { order: { customer: 'first' } }],
    ['one for renewals', renewals(), {}],
    ['one for some renewals', renewals(2, 12), renewals()],
    ['one for other renewals', renewals(3), renewals(2)],
    ['one with a minimum', { order: { min_total: 10 } }, {}],
    ['one in a country', { order: { countries: ['DE'] } }, {}],
    ['one in other countries', { order: { countries: ['DE'] } }, { order: { countries: ['AT'] } }],
    ['one via links', { order: { via: ['link'] } }, {}],
    ['one of a store', { order: { stores: [1] } }, {}],
    ['one that begins later', { from: '2026-01-02' }, { from: '2026-01-01' }],
    ['one that ends', { to: '2026-01-02' }, {}],
    ['one that leaves the rate open', { rate: { ...base.rate, percent: null } }, {}],
    ['one that sets fewer rates', {}, { rate: everyRate }],
    ['steps, if it excludes', { rate: steps }, { rate: { excluded: true } }],
    ['one for new subscriptions only', {}, { running: true }],
  ] as [string, Partial<RewardRule>, Partial<RewardRule>][]) {
    test(by, () => assert.equal(hidden(above, rule), null));
  }

  test('one below', () => {
    assert.equal(hiddenBy(list({ who: { groups: [1] } }, {}), 0), null);
  });
});

function renewals(from?: number, to?: number): Partial<RewardRule> {
  return { order: { payment: 'renewal', payments: { ...(from && { from }), ...(to && { to }) } } };
}
