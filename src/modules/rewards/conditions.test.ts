import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../shared/languages.ts';
import { Currency } from '../../shared/money.ts';
import type { Condition } from './condition.ts';
import { orderConditions } from './conditions.ts';
import type { RewardRule } from './rule.ts';
import { writerIn } from './sentence-parts.ts';
import { ruleSentence } from './sentences.ts';

const base: RewardRule = {
  id: 1,
  name: '',
  active: true,
  who: {},
  what: {},
  order: {},
  from: null,
  to: null,
  rate: { percent: 10 },
  limit: null,
  running: false,
};
const orders: Record<keyof typeof orderConditions, RewardRule['order']> = {
  customer: { customer: 'first' },
  payment: { payment: 'renewal' },
  payments: { payment: 'renewal', payments: { from: 2, to: 4 } },
  min_total: { min_total: 50 },
  countries: { countries: ['DE'] },
  via: { via: ['link'] },
  stores: { stores: [1] },
};

test('each condition on orders is part of the sentence, in every language', () => {
  const empty = new Map<number, string>();
  const own = { groups: empty, affiliates: empty, coupons: empty, stores: empty };
  const none = { ...own, goods: (_: unknown, id: string) => id };
  const site = { currency: new Currency('EUR') };
  for (const language of languages) {
    for (const [name, one] of Object.entries<Condition>(orderConditions)) {
      const rule = { ...base, order: orders[name as keyof typeof orders] };
      const clause = one.say!(writerIn(language), one.wanted(rule), none, site);
      const sentence = ruleSentence(rule, none, language, site);
      assert.ok(clause !== '' && sentence.includes(clause), `${language}, ${name}: ${sentence}`);
    }
  }
});
