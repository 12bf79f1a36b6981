import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as examples from '../../../test/support/reward-sentences.ts';
import { fc } from '../../../test/support/seeded-random.ts';
import { languages, type Language } from '../../shared/languages.ts';
import { Currency } from '../../shared/money.ts';
import {
  counterKinds,
  countedKinds,
  creditKinds,
  customerKinds,
  paymentKinds,
  windowKinds,
} from '../../web-contract/reward-kinds.ts';
import { builtInSentence, type BuiltInValues } from './built-in-rules.ts';
import type { RewardRule } from './rule.ts';
import type { RuleNames } from './sentence-parts.ts';
import { bonusSentence, ruleSentence } from './sentences.ts';

const site = { currency: new Currency('EUR') };

const named = (...names: string[]) => new Map(names.map((name, at) => [at + 1, name]));

const names: RuleNames = {
  groups: named('Gold', 'Silver', 'Bronze', 'Press', 'VIP'),
  affiliates: named('Ann Lee', 'Bob', 'Cleo', 'Dan', 'Eve'),
  coupons: named('SUMMER', 'WINTER'),
  stores: named('Alpine', 'Coast'),
  goods: (_, id) => id,
};

const ruleOf = (parts: Partial<RewardRule> & Pick<RewardRule, 'rate'>): RewardRule => ({
  id: 1,
  name: 'A rule',
  active: true,
  who: {},
  what: {},
  order: {},
  from: null,
  to: null,
  limit: null,
  running: false,
  ...parts,
});

const bonusOf = (parts: (typeof examples.ownerBonuses)[number][0]) => ({
  id: 1,
  name: 'A bonus',
  active: true,
  since: 0,
  ...parts,
});

/** Intl separates numbers from their units by special spaces, which differ with its version. */
const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, ' ');

function reads<T>(
  rows: readonly (readonly [T, readonly string[]])[],
  sentence: (value: T, language: Language) => string,
): void {
  for (const [value, expected] of rows) {
    assert.deepEqual(
      languages.map((language) => plain(sentence(value, language))),
      expected,
    );
  }
}

describe('the sentence of a rule', () => {
  test('reads well for the owner in every language', () => {
    reads(examples.ownerRules, (rule, language) =>
      ruleSentence(ruleOf(rule), names, language, site),
    );
  });

  test('addresses an affiliate, and names no other one and no coupon of others', () => {
    reads(examples.affiliateRules, (rule, language) =>
      ruleSentence(ruleOf(rule), names, language, site, 'affiliate'),
    );
  });

  test('differs for different rules', () => {
    for (const language of languages) {
      const sentences = examples.ownerRules.map(([rule]) =>
        ruleSentence(ruleOf(rule), names, language, site),
      );
      assert.equal(new Set(sentences).size, sentences.length, language);
    }
  });

  test('has the id of what has no name', () => {
    const rule = ruleOf({ who: { groups: [1, 9] }, rate: { percent: 5 } });
    assert.equal(ruleSentence(rule, names, 'en', site), 'The groups Gold and #9 earn 5%.');
  });

  test('leaves what looks like a hole in a name as it is', () => {
    const rule = ruleOf({ who: { groups: [1] }, rate: { percent: 5 }, to: '2026-11-30' });
    const odd = { ...names, groups: named('{when} , {limit}') };
    assert.equal(
      ruleSentence(rule, odd, 'en', site),
      'The group {when} , {limit} earns 5% until November 30, 2026.',
    );
  });

  test('says that a rule without a rate leaves it to the rules below', () => {
    const rule = ruleOf({ rate: { percent: null, fixed_per_order: null } });
    assert.equal(ruleSentence(rule, names, 'en', site), 'Everyone earns what the rules below set.');
  });

  test('has the decimals of the currency', () => {
    const rule = ruleOf({ rate: { fixed_per_order: 500 }, order: { min_total: 12000 } });
    assert.equal(
      ruleSentence(rule, names, 'en', { currency: new Currency('JPY') }),
      'Everyone earns ¥500 per order for orders with a total of at least ¥12,000.',
    );
  });
});

describe('the sentence of a bonus', () => {
  test('reads well for the owner in every language', () => {
    reads(examples.ownerBonuses, (bonus, language) =>
      bonusSentence(bonusOf(bonus), names, language, site),
    );
  });

  test('addresses an affiliate', () => {
    reads(examples.affiliateBonuses, (bonus, language) =>
      bonusSentence(bonusOf(bonus), names, language, site, 'affiliate'),
    );
  });
});

test('the built-in rows have sentences', () => {
  const say = <Name extends keyof BuiltInValues>(
    [name, values]: readonly [Name, BuiltInValues[Name]],
    language: Language,
  ) => builtInSentence(name, values, language, site);
  reads(examples.builtInRows, (row, language) => say(row, language));
});

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 });
const texts = fc.uniqueArray(fc.constantFrom('12', 'candles', 'gift-card', 'a b', 'x', 'y', 'z'), {
  minLength: 1,
});
const amount = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100);
const percent = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100);
const day = fc
  .integer({ min: 0, max: 4_000 })
  .map((n) => new Date(Date.UTC(2024, 0, 1) + n * 86_400_000).toISOString().slice(0, 10));
const count = fc.integer({ min: 1, max: 24 });
const windows = fc.record({ kind: fc.constantFrom(...windowKinds), days: count });
const optional = { requiredKeys: [] };

const randomRule: fc.Arbitrary<RewardRule> = fc
  .record({
    who: fc.oneof(
      fc.constant({}),
      ids.map((groups) => ({ groups })),
      ids.map((affiliates) => ({ affiliates })),
      ids.map((coupons) => ({ coupons })),
    ),
    what: fc.oneof(
      fc.constant({}),
      texts.map((products) => ({ products })),
      texts.map((categories) => ({ categories })),
      texts.map((tags) => ({ tags })),
    ),
    order: fc.record(
      {
        customer: fc.constantFrom(...customerKinds),
        payment: fc.constantFrom(...paymentKinds),
        payments: fc.record({ from: count, to: count }, optional),
        min_total: amount,
        countries: fc.uniqueArray(fc.constantFrom('DE', 'AT', 'CH', 'US', 'GB', 'BR', 'CI')),
        via: fc.uniqueArray(fc.constantFrom(...creditKinds)),
        stores: ids,
      },
      optional,
    ),
    from: fc.option(day),
    to: fc.option(day),
    rate: fc.oneof(
      fc.record(
        {
          percent: fc.option(percent),
          fixed_per_order: fc.option(amount),
          fixed_per_product: fc.option(amount),
        },
        optional,
      ),
      fc.constant({ excluded: true as const }),
      fc
        .record({
          by: fc.constantFrom(...counterKinds),
          counts: fc.constantFrom(...countedKinds),
          window: windows,
          steps: fc.array(fc.record({ from: count, percent }), { minLength: 1, maxLength: 5 }),
        })
        .map((steps) => ({ steps })),
    ),
    limit: fc.option(
      fc.oneof(
        count.map((payments) => ({ payments })),
        count.map((months) => ({ months })),
        fc.record({
          amount,
          per: fc.constantFrom('customer' as const, 'affiliate' as const),
          window: windows,
        }),
      ),
    ),
    running: fc.boolean(),
  })
  .map(ruleOf);

test('every rule has a whole sentence', () => {
  fc.assert(
    fc.property(
      randomRule,
      fc.constantFrom(...languages),
      fc.constantFrom('owner' as const, 'affiliate' as const),
      (rule, language, audience) => {
        const sentence = ruleSentence(rule, names, language, site, audience);
        assert.doesNotMatch(sentence, /[{}]|\s\s|undefined|null|NaN|\s[,.]|[,;]\s*[,;.]|\.\.$/);
        assert.match(sentence, /^\S.*[^\s.]\.$/);
      },
    ),
    { numRuns: 2_000 },
  );
});
