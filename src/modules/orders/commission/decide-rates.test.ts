import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../../test/support/seeded-random.ts';
import { Currency } from '../../../shared/money.ts';
import { monthsAfter, RuleIndex, type RewardRule } from '../../rewards/index.ts';
import { computeCommission, type Rate } from './commission.ts';
import { decideRates } from './decide-rates.ts';
import { explainRules } from './explain-decision.ts';
import type { Facts, RatedOrder } from './facts.ts';
import type { Line } from './order-figures.ts';
import type { Terms } from './terms.ts';

const RUNS = 10_000;
const USD = new Currency('USD');

const termsWith = (rules: readonly RewardRule[], renewals: string): Terms => ({
  hash: '',
  plainRates: undefined,
  index: rules.length > 0 ? new RuleIndex(rules, USD) : undefined,
  rules,
  renewals,
  rates: {
    percent: { value: 10, source: 'store' },
    fixedPerOrder: { value: 100, source: 'coupon' },
    fixedPerProduct: { value: 7, source: 'group' },
  },
  productPercents: { p1: 20 },
  base: {
    beforeDiscount: false,
    includeShipping: true,
    includeTax: false,
    includeFees: false,
    maxPerOrder: 0,
  },
});

// Few values each, so that rules and orders meet often.
const ids = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const numbers = (...values: number[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const day = fc.constantFrom('2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01');
const percent = fc.constantFrom(0, 5, 12.5, 15);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const who = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.record({ groups: numbers(1, 2, 3) }),
  fc.record({ affiliates: numbers(7, 8) }),
  fc.record({ coupons: numbers(12, 13) }),
);
const what = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.record({ products: ids('p1', 'p2', 'constructor') }),
  fc.record({ categories: ids('c1', 'c2') }),
  fc.record({ tags: ids('t1', 't2') }),
);
const condition = fc.record(
  {
    customer: fc.constantFrom('any' as const, 'first' as const, 'repeat' as const),
    payment: fc.constantFrom('any' as const, 'first' as const, 'renewal' as const),
    payments: fc.constantFrom({ from: 2, to: 3 }, { from: 3 }),
    min_total: fc.constantFrom(0, 50, 100),
    countries: ids('DE', 'FR'),
    via: fc.uniqueArray(fc.constantFrom('coupon' as const, 'link' as const), { minLength: 1 }),
    stores: numbers(1, 2),
  },
  { requiredKeys: [] },
);
const rate = fc.oneof(
  fc.record({ percent: optional(percent), fixed_per_order: optional(fc.constantFrom(0, 2.5)) }),
  fc.record({ fixed_per_product: fc.constantFrom(0, 0.3), percent: optional(percent) }),
  fc.constant({ excluded: true as const }),
  fc.constant({
    steps: {
      by: 'sales' as const,
      counts: 'granted' as const,
      window: { kind: 'month' as const },
      steps: [
        { from: 0, percent: 3 },
        { from: 100, percent: 6 },
        { from: 250, percent: 9 },
      ],
    },
  }),
);
const limit = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  fc.constant({ payments: 2 }),
  fc.constant({ months: 1 }),
  fc.constant({ amount: 5, per: 'affiliate' as const, window: { kind: 'month' as const } }),
);
const ruleList = fc
  .array(
    fc.record({ who, what, order: condition, from: optional(day), to: optional(day), rate, limit }),
    {
      maxLength: 8,
    },
  )
  .map((rules) =>
    rules.map((rule, i): RewardRule => ({
      id: i + 1,
      name: '',
      active: true,
      running: false,
      ...rule,
    })),
  );

const someLine = fc.record({
  productId: fc.constantFrom('p1', 'p2', 'p3', 'constructor'),
  otherIds: fc.uniqueArray(fc.constantFrom('p1', 'p3', 'p4'), { maxLength: 1 }),
  categories: fc.uniqueArray(fc.constantFrom('c1', 'c2', 'c3')),
  tags: fc.uniqueArray(fc.constantFrom('t1', 't3')),
  quantity: fc.nat({ max: 3 }),
  subtotal: fc.nat({ max: 9_999 }),
});
const order: fc.Arbitrary<RatedOrder> = fc.record({
  lines: fc
    .uniqueArray(someLine, { maxLength: 3, selector: (one) => one.productId })
    .map((lines) => lines.map((one): Line => ({ ...one, total: one.subtotal }))),
  total: fc.constantFrom(4_999, 5_000, 10_000),
  day,
  country: optional(fc.constantFrom('DE', 'AT')),
  storeId: optional(fc.constantFrom(1, 3)),
});
const facts: fc.Arbitrary<Facts> = fc
  .record({
    affiliate: fc.constantFrom(7, 9),
    coupon: fc.constantFrom(12, 14),
    via: fc.constantFrom('coupon' as const, 'link' as const, 'lifetime' as const),
    groups: fc.uniqueArray(fc.constantFrom(1, 2)),
    customer: fc.constantFrom('first' as const, 'repeat' as const),
    payment: fc.constantFrom(1, 2, 4),
    started: fc.constantFrom('2026-10-31', '2026-01-01'),
    nth: fc.constantFrom(1, 2, 3),
    since: fc.constantFrom('2026-10-31', '2026-11-01'),
    counter: fc.constantFrom(0, 9_999, 10_000, 25_000),
    spent: fc.constantFrom(0, 400, 600),
  })
  .map(({ counter, spent, ...rest }) => ({
    ...rest,
    counters: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((id) => [id, counter])),
    spent: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((id) => [id, spent])),
  }));

/** What one rate of one line is, asked rule by rule, as an owner would read the list. */
function reference(
  terms: Terms,
  of: RatedOrder,
  at: Facts,
  name: 'percent' | 'fixed_per_order' | 'fixed_per_product',
  line: Line | undefined,
): { rule: number | null; value: number } {
  for (const rule of terms.rules) {
    if (!matches(rule, of, at, line)) continue;
    if (rule.rate.excluded) return { rule: rule.id, value: 0 };
    const { steps } = rule.rate;
    const minor = name === 'percent' ? 1 : 100;
    let value = rule.rate[name] ?? null;
    if (steps) {
      value = null;
      for (const { from, percent: of_ } of steps.steps) {
        if (name === 'percent' && at.counters![rule.id]! >= from * 100) value = of_;
      }
    }
    if (value === null) continue;
    const { payments, months } = rule.limit ?? {};
    const isBeyond =
      (payments !== undefined && at.nth! > payments) ||
      (months !== undefined && of.day >= monthsAfter(at.since!, months));
    return { rule: rule.id, value: isBeyond ? 0 : value * minor };
  }
  const isRenewal = at.payment! > 1;
  if (isRenewal && terms.renewals === 'once') return { rule: null, value: 0 };
  if (isRenewal && terms.renewals === '2' && of.day >= monthsAfter(at.started!, 2)) {
    return { rule: null, value: 0 };
  }
  if (name === 'percent') return { rule: null, value: idsOf(line).includes('p1') ? 20 : 10 };
  return { rule: null, value: name === 'fixed_per_order' ? 100 : 7 };
}

const idsOf = (line: Line | undefined) => (line ? [line.productId, ...line.otherIds] : []);

function matches(rule: RewardRule, of: RatedOrder, at: Facts, line: Line | undefined): boolean {
  const { who: w, what: t, order: o } = rule;
  const overlap = (a: readonly unknown[], b: readonly unknown[]) => a.some((x) => b.includes(x));
  if (w.groups && !overlap(w.groups, at.groups!)) return false;
  if (w.affiliates && !w.affiliates.includes(at.affiliate)) return false;
  if (w.coupons && !w.coupons.includes(at.coupon)) return false;
  if (t.products && !overlap(t.products, idsOf(line))) return false;
  if (t.categories && !(line && overlap(t.categories, line.categories.map(String)))) return false;
  if (t.tags && !(line && overlap(t.tags, line.tags.map(String)))) return false;
  if (rule.from !== null && of.day < rule.from) return false;
  if (rule.to !== null && of.day > rule.to) return false;
  if (o.customer && o.customer !== 'any' && o.customer !== at.customer) return false;
  if (o.payment === 'first' && at.payment !== 1) return false;
  if (o.payment === 'renewal' && at.payment === 1) return false;
  if (o.payments?.from !== undefined && at.payment! < o.payments.from) return false;
  if (o.payments?.to !== undefined && at.payment! > o.payments.to) return false;
  if (o.min_total !== undefined && of.total < o.min_total * 100) return false;
  if (o.countries && !o.countries.includes(of.country ?? '')) return false;
  if (o.via && !(o.via as string[]).includes(at.via)) return false;
  return !o.stores || o.stores.includes(of.storeId ?? 0);
}

/** The fixed amount of an order: by the first rule for a line that no rule above has excluded. */
function referencePerOrder(terms: Terms, of: RatedOrder, at: Facts) {
  const lines = of.lines.length > 0 ? of.lines : [undefined];
  const excludedAbove = (one: Line | undefined, before: number) =>
    terms.rules.slice(0, before).some((rule) => rule.rate.excluded && matches(rule, of, at, one));
  const left = (before: number) => lines.filter((one) => !excludedAbove(one, before));
  if (left(terms.rules.length).length === 0) {
    const last = terms.rules.findIndex((_, i) => left(i + 1).length === 0);
    const above = decidedPerOrder(last);
    return above ?? { rule: terms.rules[last]!.id, value: 0 };
  }
  return (
    decidedPerOrder(terms.rules.length) ??
    reference({ ...terms, rules: [] }, of, at, 'fixed_per_order', undefined)
  );

  function decidedPerOrder(before: number) {
    for (const [i, rule] of terms.rules.slice(0, before).entries()) {
      if (rule.rate.excluded || !left(i).some((one) => matches(rule, of, at, one))) continue;
      const only = left(i).find((one) => matches(rule, of, at, one));
      const found = reference({ ...terms, rules: [rule] }, of, at, 'fixed_per_order', only);
      if (found.rule !== null) return found;
    }
    return undefined;
  }
}

const shown = ({ value, rule }: Rate<number>) => ({ rule: rule ?? null, value });

describe('the rates of an order', () => {
  test(`are those of a naive reading of the list, for ${RUNS} random lists and orders`, () => {
    fc.assert(
      fc.property(
        ruleList,
        order,
        facts,
        fc.constantFrom('once', 'always', '2'),
        (rules, of, at, renewals) => {
          const terms = termsWith(rules, renewals);
          const rates = decideRates(terms, of, at);
          for (const one of of.lines) {
            const own = Object.hasOwn(rates.productPercents, one.productId)
              ? { value: rates.productPercents[one.productId]!, source: 'product' as const }
              : rates.percent;
            const { lines = {} } = rates;
            const byRule = Object.hasOwn(lines, one.productId) ? lines[one.productId]! : {};
            assert.deepEqual(
              shown(byRule.percent ?? own),
              reference(terms, of, at, 'percent', one),
              `percent of ${one.productId}`,
            );
            assert.deepEqual(
              shown(byRule.fixedPerProduct ?? rates.fixedPerProduct),
              reference(terms, of, at, 'fixed_per_product', one),
              `fixed amount of ${one.productId}`,
            );
          }
          assert.deepEqual(shown(rates.percent), reference(terms, of, at, 'percent', undefined));
          assert.deepEqual(
            shown(rates.fixedPerOrder),
            referencePerOrder(terms, of, at),
            'per order',
          );
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('add up in the explanation, and no rule adds more than its limit', () => {
    fc.assert(
      fc.property(ruleList, order, facts, (rules, of, at) => {
        const terms = termsWith(rules, 'always');
        const rates = decideRates(terms, of, at);
        const total = of.lines.reduce((sum, one) => sum + one.subtotal, 0);
        const figures = {
          subtotal: total,
          discount: 0,
          shipping: 500,
          tax: 0,
          fees: 0,
          total: total + 500,
          items: of.lines,
          refunds: [],
        };
        const same = { numerator: 1n, denominator: 1n };
        const { amount, steps, byRule } = computeCommission(figures, rates, terms.base, same);
        const exact = steps
          .filter(({ step }) => ['percent', 'fixed', 'limit'].includes(step))
          .reduce(
            (sum, one) => sum + Number(one.amount.numerator) / Number(one.amount.denominator),
            0,
          );
        assert.ok(Math.abs(exact - amount) <= 0.5 + 1e-6, `${exact} is about ${amount}`);
        for (const [rule, earned] of byRule ?? []) {
          assert.ok(earned <= Math.max(0, 500 - at.spent![rule]!), `rule ${rule}: ${earned}`);
        }
      }),
      { numRuns: RUNS / 10 },
    );
  });

  test('are explained by the rules that win, and by why the others lose', () => {
    fc.assert(
      fc.property(ruleList, order, facts, (rules, of, at) => {
        const terms = termsWith(rules, 'always');
        const lines = of.lines.length > 0 ? of.lines : [undefined];
        const winners = [
          referencePerOrder(terms, of, at),
          // Shipping earns the general percentage.
          reference(terms, of, at, 'percent', undefined),
          ...of.lines.flatMap((line) => [
            reference(terms, of, at, 'percent', line),
            reference(terms, of, at, 'fixed_per_product', line),
          ]),
        ];
        const winning = new Set(winners.map(({ rule }) => rule));
        const explained = explainRules(terms, of, at);
        assert.deepEqual(
          explained.map(({ rule }) => rule.id),
          rules.map(({ id }) => id),
        );
        for (const { rule, because } of explained) {
          const doesMatch = lines.some((line) => matches(rule, of, at, line));
          assert.equal(doesMatch, because === null || because === 'above');
          assert.equal(because === null, winning.has(rule.id));
        }
      }),
      { numRuns: RUNS / 10 },
    );
  });
});
