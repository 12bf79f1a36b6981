import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../../test/support/seeded-random.ts';
import { fractionOf, times, type Fraction } from '../../../shared/money.ts';
import { computeCommission, type BaseRules, type Commission, type Rates } from './commission.ts';
import { explainStep } from './explain-commission.ts';
import type { Line, OrderFigures, Refund } from './order-figures.ts';
import { commissionWithoutSteps } from './plain-commission.ts';

const SAME: Fraction = { numerator: 1n, denominator: 1n };

const order = (figures: Partial<OrderFigures>): OrderFigures => ({
  subtotal: 10_000,
  discount: 1_000,
  shipping: 500,
  tax: 900,
  fees: 100,
  total: 10_500,
  items: [],
  refunds: [],
  ...figures,
});

const line = (
  productId: number | string,
  quantity: number,
  subtotal: number,
  total = subtotal,
): Line => ({
  productId: String(productId),
  otherIds: [],
  categories: [],
  tags: [],
  quantity,
  subtotal,
  total,
});

const refund = (
  amount: number,
  items: Refund['items'] = [],
  named: Partial<Refund> = {},
): Refund => ({
  amount,
  shipping: 0,
  tax: 0,
  fees: 0,
  items,
  ...named,
});
const back = (productId: number | string, quantity: number, total: number) => ({
  productId: String(productId),
  otherIds: [],
  categories: [],
  tags: [],
  quantity,
  total,
});

interface Given {
  percent?: number;
  perOrder?: number;
  perProduct?: number;
  products?: Record<string, number>;
}

const rates = ({ percent = 0, perOrder = 0, perProduct = 0, products = {} }: Given): Rates => ({
  percent: { value: percent, source: 'coupon' },
  fixedPerOrder: { value: perOrder, source: 'group' },
  fixedPerProduct: { value: perProduct, source: 'store' },
  productPercents: products,
});

const rules = (changed: Partial<BaseRules> = {}): BaseRules => ({
  beforeDiscount: false,
  includeShipping: false,
  includeTax: false,
  includeFees: false,
  maxPerOrder: 0,
  ...changed,
});

/** Two lines of product 1 and one of product 2: 60.00 and 40.00 before, 54.00 and 36.00 after. */
const items = [line(1, 1, 2_000, 1_800), line(1, 2, 4_000, 3_600), line(2, 1, 4_000, 3_600)];

interface Case {
  what: string;
  order: OrderFigures;
  rates: Given;
  rules?: Partial<BaseRules>;
  exchange?: Fraction;
  is: number;
}

const cases: Record<string, Case[]> = {
  rates: [
    { what: 'none', order: order({}), rates: {}, is: 0 },
    { what: 'percent', order: order({}), rates: { percent: 10 }, is: 900 },
    { what: 'percent with digits', order: order({}), rates: { percent: 12.55 }, is: 1_130 },
    {
      what: 'a half is rounded up',
      order: order({ subtotal: 1_100, discount: 0 }),
      rates: { percent: 0.5 },
      is: 6,
    },
    {
      what: 'less than a half is rounded down',
      order: order({ subtotal: 1_099, discount: 0 }),
      rates: { percent: 0.5 },
      is: 5,
    },
    { what: 'fixed per order', order: order({}), rates: { perOrder: 250 }, is: 250 },
    { what: 'fixed per product', order: order({ items }), rates: { perProduct: 30 }, is: 120 },
    { what: 'fixed per product, no items', order: order({}), rates: { perProduct: 30 }, is: 0 },
    {
      what: 'all three',
      order: order({ items }),
      rates: { percent: 10, perOrder: 250, perProduct: 30 },
      is: 900 + 250 + 120,
    },
    {
      what: 'the rate of a product before all others',
      order: order({ items }),
      rates: { percent: 10, products: { '1': 50 } },
      is: 2_700 + 360,
    },
    {
      what: 'the rate 0 of a product before all others',
      order: order({ items }),
      rates: { percent: 10, products: { '1': 0 } },
      is: 360,
    },
    {
      what: 'rounded once, not line by line',
      order: order({ items: [line(1, 1, 5), line(2, 1, 5), line(3, 1, 5)] }),
      rates: { percent: 10 },
      is: 2,
    },
  ],
  base: [
    {
      what: 'before discount',
      order: order({}),
      rates: { percent: 10 },
      rules: { beforeDiscount: true },
      is: 1_000,
    },
    {
      what: 'before discount, by items',
      order: order({ items }),
      rates: { percent: 10 },
      rules: { beforeDiscount: true },
      is: 1_000,
    },
    {
      what: 'with shipping',
      order: order({}),
      rates: { percent: 10 },
      rules: { includeShipping: true },
      is: 950,
    },
    {
      what: 'with tax',
      order: order({}),
      rates: { percent: 10 },
      rules: { includeTax: true },
      is: 990,
    },
    {
      what: 'with fees',
      order: order({}),
      rates: { percent: 10 },
      rules: { includeFees: true },
      is: 910,
    },
    {
      what: 'with everything',
      order: order({ items }),
      rates: { percent: 10 },
      rules: {
        beforeDiscount: true,
        includeShipping: true,
        includeTax: true,
        includeFees: true,
      },
      is: 1_150,
    },
    {
      what: 'a product rate is not for shipping',
      order: order({ items }),
      rates: { percent: 10, products: { '1': 0, '2': 0 } },
      rules: { includeShipping: true },
      is: 50,
    },
    {
      what: 'a discount larger than the goods leaves nothing, not less',
      order: order({ subtotal: 500, discount: 900, total: 0 }),
      rates: { percent: 10 },
      is: 0,
    },
    {
      what: 'total 0: no percentage',
      order: order({ discount: 10_000, shipping: 0, tax: 0, fees: 0, total: 0 }),
      rates: { percent: 10 },
      is: 0,
    },
    {
      what: 'total 0: it is an order all the same',
      order: order({ discount: 10_000, shipping: 0, tax: 0, fees: 0, total: 0 }),
      rates: { percent: 10, perOrder: 250 },
      is: 250,
    },
  ],
  maximum: [
    {
      what: 'above',
      order: order({}),
      rates: { percent: 10 },
      rules: { maxPerOrder: 500 },
      is: 500,
    },
    { what: 'at', order: order({}), rates: { percent: 10 }, rules: { maxPerOrder: 900 }, is: 900 },
    {
      what: 'below',
      order: order({}),
      rates: { percent: 10 },
      rules: { maxPerOrder: 901 },
      is: 900,
    },
    {
      what: 'of percent and fixed together',
      order: order({}),
      rates: { percent: 10, perOrder: 100 },
      rules: { maxPerOrder: 950 },
      is: 950,
    },
  ],
  refunds: [
    {
      what: 'without items: everything alike',
      order: order({ refunds: [refund(2_625)] }),
      rates: { percent: 10 },
      is: 675,
    },
    {
      what: 'without items, spread over lines of different rates',
      order: order({ items, refunds: [refund(5_250)] }),
      rates: { percent: 10, products: { '1': 50 } },
      is: (2_700 + 360) / 2,
    },
    {
      what: 'with items: the product it names, once although it has two lines',
      order: order({ items, refunds: [refund(1_800, [back(1, 1, 1_800)])] }),
      rates: { percent: 10, perProduct: 30, products: { '1': 50 } },
      is: 1_800 + 360 + 90,
    },
    {
      what: 'with items, before discount: the same share of the price before it',
      order: order({ items, refunds: [refund(1_800, [back(1, 1, 1_800)])] }),
      rates: { percent: 10 },
      rules: { beforeDiscount: true },
      is: 400 + 400,
    },
    {
      what: 'with items and their tax: the tax is not taken off the goods',
      order: order({ items, refunds: [refund(1_900, [back(1, 1, 1_800)], { tax: 100 })] }),
      rates: { percent: 10 },
      is: 360 + 360,
    },
    {
      what: 'of shipping alone: only where shipping earns',
      order: order({ items, shipping: 500, refunds: [refund(500, [], { shipping: 500 })] }),
      rates: { percent: 10 },
      rules: { includeShipping: true },
      is: 540 + 360,
    },
    {
      what: 'a whole product',
      order: order({ items, refunds: [refund(5_400, [back(1, 3, 5_400)])] }),
      rates: { percent: 10, perProduct: 30 },
      is: 360 + 30,
    },
    {
      what: 'one product in several refunds',
      order: order({
        items,
        refunds: [refund(1_800, [back(1, 1, 1_800)]), refund(3_600, [back(1, 2, 3_600)])],
      }),
      rates: { percent: 10, perProduct: 30 },
      is: 360 + 30,
    },
    {
      what: 'more of a product than there was: the rest lowers everything alike',
      order: order({ items, total: 9_000, refunds: [refund(7_200, [back(1, 9, 7_200)])] }),
      rates: { percent: 10, perProduct: 30 },
      is: 180 + 30,
    },
    {
      what: 'a product that is not in the order: everything alike',
      order: order({ items, refunds: [refund(5_250, [back(9, 1, 5_250)])] }),
      rates: { percent: 10 },
      is: 450,
    },
    {
      what: 'items named where the order has none: everything alike',
      order: order({ refunds: [refund(5_250, [back(1, 1, 5_250)])] }),
      rates: { percent: 10 },
      is: 450,
    },
    {
      what: 'partial: fixed per order stays',
      order: order({ refunds: [refund(5_250)] }),
      rates: { perOrder: 250 },
      is: 250,
    },
    {
      what: 'the whole order: nothing, fixed amounts included',
      order: order({ items, refunds: [refund(10_500)] }),
      rates: { percent: 10, perOrder: 250, perProduct: 30 },
      is: 0,
    },
    {
      what: 'the whole order in parts',
      order: order({ items, refunds: [refund(5_400, [back(1, 3, 5_400)]), refund(5_100)] }),
      rates: { percent: 10, perOrder: 250, perProduct: 30 },
      is: 0,
    },
    {
      what: 'more than the order',
      order: order({ refunds: [refund(99_999)] }),
      rates: { percent: 10, perOrder: 250 },
      is: 0,
    },
    {
      what: 'the maximum is applied to what is left',
      order: order({ refunds: [refund(2_625)] }),
      rates: { percent: 10 },
      rules: { maxPerOrder: 700 },
      is: 675,
    },
  ],
  currencies: [
    {
      what: 'EUR into USD',
      order: order({}),
      rates: { percent: 10 },
      exchange: fractionOf(1.0825),
      is: 974,
    },
    {
      what: 'JPY into USD: yen have no decimals, cents have two',
      order: order({ subtotal: 10_000, discount: 0, total: 10_000 }),
      rates: { percent: 10 },
      exchange: times(fractionOf(0.0067), fractionOf(100)),
      is: 670,
    },
    {
      what: 'USD into JPY',
      order: order({}),
      rates: { percent: 10 },
      exchange: times(fractionOf(149.25), { numerator: 1n, denominator: 100n }),
      is: 1_343,
    },
    {
      what: 'KWD into USD: three decimals into two',
      order: order({ subtotal: 12_345, discount: 0 }),
      rates: { percent: 10 },
      exchange: times(fractionOf(3.25), { numerator: 1n, denominator: 10n }),
      is: 401,
    },
    {
      what: 'USD into KWD',
      order: order({}),
      rates: { percent: 10 },
      exchange: times(fractionOf(0.3077), fractionOf(10)),
      is: 2_769,
    },
    {
      what: 'fixed amounts and the maximum are of the store, not exchanged',
      order: order({}),
      rates: { percent: 10, perOrder: 250 },
      rules: { maxPerOrder: 2_000 },
      exchange: fractionOf(1.5),
      is: 1_350 + 250,
    },
  ],
};

describe('computeCommission', () => {
  for (const [group, list] of Object.entries(cases)) {
    describe(group, () => {
      for (const { what, is, ...given } of list) {
        test(`${what}: ${is}`, () => {
          const commission = compute(given);
          assert.equal(commission.amount, is);
          assertStepsAddUp(commission);
        });
      }
    });
  }
});

function compute(given: Omit<Case, 'what' | 'is'>): Commission {
  const { exchange = SAME } = given;
  return computeCommission(given.order, rates(given.rates), rules(given.rules), exchange);
}

/** Percent and fixed steps give the figure before maximum and rounding, these give the amount. */
function assertStepsAddUp({ amount, steps }: Commission): void {
  if (steps[0]?.step === 'refund') return assert.equal(amount, 0, 'fully refunded');
  const sum = steps
    .filter(({ step }) => step === 'percent' || step === 'fixed')
    .reduce((total, step) => add(total, rational(step.amount)), [0n, 1n] as Rational);
  const maximum = steps.find(({ step }) => step === 'maximum');
  if (maximum) assert.ok(isMore(sum, rational(maximum.amount)));
  assert.equal(halfUp(maximum ? rational(maximum.amount) : sum), amount);
  const last = steps.at(-1)!;
  assert.deepEqual([last.step, last.amount.numerator], ['rounding', BigInt(amount)]);
}

describe('the explanation', () => {
  const explained = compute({
    order: order({ items, refunds: [refund(1_800, [back(1, 1, 1_800)])] }),
    rates: { percent: 10, perOrder: 250, perProduct: 30, products: { '1': 50 } },
    rules: { includeShipping: true, maxPerOrder: 2_000 },
  });

  test('names every step in order', () => {
    assert.deepEqual(
      explained.steps.map(({ step }) => step),
      ['base', 'refund', 'percent', 'percent', 'percent', 'fixed', 'fixed', 'maximum', 'rounding'],
    );
  });

  test('shows each rate and its source', () => {
    const text = explained.steps.map((step) => explainStep(step, true)).join('\n');
    for (const words of [
      'The products after discount, with shipping.',
      '50 % of product 1 (rate of the product).',
      '10 % of product 2 (rate of the coupon).',
      '10 % of shipping (rate of the coupon).',
      'Fixed amount for the order (rate of the group).',
      'Fixed amount for each of 3 products (rate of the store).',
    ]) {
      assert.ok(text.includes(words), `${words}\n in \n${text}`);
    }
  });

  test('has the figures: 72.00 of goods, 5.00 of shipping, 18.00 refunded', () => {
    const [base, refunded] = explained.steps.map(({ amount }) => amount);
    assert.deepEqual(base, { numerator: 7_700n, denominator: 1n });
    assert.deepEqual(refunded, { numerator: -1_800n, denominator: 1n });
  });
});

/** Numerator and denominator, never reduced: slow and plain. */
type Rational = [bigint, bigint];

const rational = ({ numerator, denominator }: Fraction): Rational => [numerator, denominator];
const add = ([a, b]: Rational, [c, d]: Rational): Rational => [a * d + c * b, b * d];
const multiply = ([a, b]: Rational, [c, d]: Rational): Rational => [a * c, b * d];
const isMore = ([a, b]: Rational, [c, d]: Rational): boolean => a * d > c * b;
const halfUp = ([a, b]: Rational): number => Number((2n * a + b) / (2n * b));
const whole = (amount: number): Rational => [BigInt(amount), 1n];
const total = (amounts: number[]): number => amounts.reduce((a, b) => a + b, 0);

/** A percentage as hundredths of a percent, so that the reference reads no decimals. */
interface Scenario {
  order: OrderFigures;
  percent: number;
  products: Record<string, number>;
  perOrder: number;
  perProduct: number;
  rules: BaseRules;
  exchange: Fraction;
}

const ratesOf = (s: Scenario): Rates =>
  rates({
    percent: s.percent / 100,
    perOrder: s.perOrder,
    perProduct: s.perProduct,
    products: Object.fromEntries(Object.entries(s.products).map(([id, p]) => [id, p / 100])),
  });

const commissionOf = (s: Scenario): Commission =>
  computeCommission(s.order, ratesOf(s), s.rules, s.exchange);

/** The same by another road: product by product, from the words of the specification. */
function reference({ order: o, rules: r, ...s }: Scenario): number {
  const refunded = total(o.refunds.map(({ amount }) => amount));
  if (refunded > 0 && refunded >= o.total) return 0;

  const ids = [...new Set(o.items.map(({ productId }) => productId))];
  const of = (id: string, column: 'quantity' | 'subtotal' | 'total') =>
    total(o.items.filter(({ productId }) => productId === id).map((item) => item[column]));
  const asked = (id: string) =>
    total(
      o.refunds.flatMap(({ items: named }) => named.map((i) => (i.productId === id ? i.total : 0))),
    );
  const left = Object.fromEntries(ids.map((id) => [id, of(id, 'total')]));
  const pieces = Object.fromEntries(ids.map((id) => [id, of(id, 'quantity')]));
  const parts = { shipping: o.shipping, tax: o.tax, fees: o.fees };
  let unnamed = 0;
  for (const { amount, items: named, ...others } of o.refunds) {
    let open = amount;
    for (const part of ['shipping', 'tax', 'fees'] as const) {
      const taken = Math.min(others[part], parts[part]);
      parts[part] -= taken;
      open -= taken;
    }
    for (const item of named) {
      if (!(item.productId in left)) continue;
      const taken = Math.min(item.total, left[item.productId]!);
      left[item.productId]! -= taken;
      pieces[item.productId]! -= Math.min(item.quantity, pieces[item.productId]!);
      open -= taken;
    }
    unnamed += Math.max(0, open);
  }
  // Of what the named lines have left of the order, the unnamed refunds take a share of everything.
  const rest = o.total - refunded + unnamed;
  const share: Rational = rest > 0 ? [BigInt(rest - unnamed), BigInt(rest)] : [1n, 1n];

  const bases: [amount: Rational, hundredths: number][] = ids.map((id) => {
    const cost = of(id, 'total');
    const amount: Rational = !r.beforeDiscount
      ? whole(left[id]!)
      : cost === 0
        ? whole(asked(id) > 0 ? 0 : of(id, 'subtotal'))
        : [BigInt(of(id, 'subtotal')) * BigInt(left[id]!), BigInt(cost)];
    return [amount, s.products[id] ?? s.percent];
  });
  if (ids.length === 0) {
    bases.push([whole(r.beforeDiscount ? o.subtotal : o.subtotal - o.discount), s.percent]);
  }
  if (r.includeShipping) bases.push([whole(parts.shipping), s.percent]);
  if (r.includeTax) bases.push([whole(parts.tax), s.percent]);
  if (r.includeFees) bases.push([whole(parts.fees), s.percent]);

  const percentages = bases
    .map(([amount, hundredths]) => multiply(amount, [BigInt(hundredths), 10_000n]))
    .reduce(add, [0n, 1n]);
  const exchanged = multiply(multiply(percentages, share), rational(s.exchange));
  const fixed = s.perOrder + s.perProduct * total(Object.values(pieces));
  const sum = add(exchanged, whole(fixed));
  const capped = r.maxPerOrder > 0 && isMore(sum, whole(r.maxPerOrder));
  return capped ? r.maxPerOrder : halfUp(sum);
}

const amounts = fc.oneof(fc.nat(200), fc.nat(1_000_000));
const products = fc.integer({ min: 1, max: 4 }).map(String);
const hundredths = fc.oneof(fc.constantFrom(0, 500, 1_000, 10_000), fc.nat(10_000));

const lines = fc
  .record({ productId: products, quantity: fc.nat(5), subtotal: amounts, off: fc.nat(100) })
  .map(({ productId, quantity, subtotal, off }) =>
    line(productId, quantity, subtotal, Math.floor((subtotal * (100 - off)) / 100)),
  );

const refunds: fc.Arbitrary<Refund> = fc.record({
  amount: amounts,
  shipping: fc.oneof(fc.constant(0), amounts),
  tax: fc.oneof(fc.constant(0), amounts),
  fees: fc.oneof(fc.constant(0), amounts),
  items: fc.array(fc.record({ productId: products, quantity: fc.nat(3), total: amounts }), {
    maxLength: 3,
  }),
});

const orders: fc.Arbitrary<OrderFigures> = fc
  .record({
    items: fc.array(lines, { maxLength: 6 }),
    goods: fc.tuple(amounts, fc.nat(100)),
    shipping: amounts,
    tax: amounts,
    fees: amounts,
    refunds: fc.array(refunds, { maxLength: 4 }),
  })
  .map(({ items: list, goods: [price, off], ...rest }) => {
    const subtotal = list.length > 0 ? total(list.map((l) => l.subtotal)) : price;
    const paid =
      list.length > 0 ? total(list.map((l) => l.total)) : price - Math.floor((price * off) / 100);
    return {
      ...rest,
      items: list,
      subtotal,
      discount: subtotal - paid,
      total: paid + rest.shipping + rest.tax + rest.fees,
    };
  });

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  order: orders,
  percent: hundredths,
  products: fc.dictionary(products.map(String), hundredths, { maxKeys: 3 }),
  perOrder: fc.oneof(fc.constant(0), amounts),
  perProduct: fc.oneof(fc.constant(0), amounts),
  rules: fc.record({
    beforeDiscount: fc.boolean(),
    includeShipping: fc.boolean(),
    includeTax: fc.boolean(),
    includeFees: fc.boolean(),
    maxPerOrder: fc.oneof(fc.constant(0), amounts),
  }),
  exchange: fc.oneof(
    fc.constant(SAME),
    fc
      .tuple(fc.bigInt(1n, 100_000n), fc.bigInt(1n, 100_000n))
      .map(([numerator, denominator]) => ({ numerator, denominator })),
  ),
});

const withOrder = (scenario: Scenario, changed: Partial<OrderFigures>): Scenario => ({
  ...scenario,
  order: { ...scenario.order, ...changed },
});

const half = (l: Line, round: (half: number) => number): Line =>
  line(l.productId, round(l.quantity / 2), round(l.subtotal / 2), round(l.total / 2));

const holds = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, check), { numRuns: 500 });

describe('for any order', () => {
  test('a naive reference gives the same', () => {
    holds(scenarios, (s) => assert.equal(commissionOf(s).amount, reference(s)));
  });

  test('never negative, never above the maximum', () => {
    holds(scenarios, (s) => {
      const { amount } = commissionOf(s);
      assert.ok(Number.isSafeInteger(amount) && amount >= 0);
      if (s.rules.maxPerOrder > 0) assert.ok(amount <= s.rules.maxPerOrder);
    });
  });

  test('the steps add up', () => {
    holds(scenarios, (s) => assertStepsAddUp(commissionOf(s)));
  });

  test('without its steps it is the same', () => {
    const usual = { source: 'store' } as const;
    const rule = (id: number) => ({ source: 'rule', rule: id }) as const;
    // Percentages have two decimals, or more than whole numbers can take.
    const finer = fc.constantFrom(0, 0, 0.0001, 0.00001);
    const limits = fc.option(fc.record({ 7: amounts, 8: amounts }), { nil: undefined });
    const tried = fc.record({ s: scenarios, isPlain: fc.boolean(), finer, caps: limits });
    holds(tried, ({ s, isPlain, finer: more, caps }) => {
      const plain = { ...s, exchange: SAME, order: { ...s.order, refunds: [] } };
      const { order: of, rules: by, exchange } = isPlain ? plain : s;
      const { percent, fixedPerOrder, ...others } = ratesOf(s);
      const { fixedPerProduct } = others;
      const [first] = of.items;
      const given: Rates = {
        ...others,
        percent: { ...(caps ? rule(7) : usual), value: percent.value + more },
        fixedPerOrder: { ...(caps ? rule(8) : usual), value: fixedPerOrder.value },
        ...(caps && { caps }),
        ...(first && {
          lines: {
            [first.productId]: {
              percent: { ...rule(8), value: 12.5 },
              fixedPerProduct: { ...rule(7), value: fixedPerProduct.value },
            },
          },
        }),
      };
      const { steps: _, ...expected } = computeCommission(of, given, by, exchange);
      const { amount, base, byRule } = commissionWithoutSteps(
        { figures: of, exchange },
        { rates: given, rules: by },
      );
      assert.deepEqual({ amount, base, ...(byRule && { byRule }) }, expected);
    });
  });

  test('amounts that are too large for whole numbers are exact without steps', () => {
    const huge = order({ subtotal: 999_999_999_999, discount: 0 });
    const of = rates({ percent: 33.3333 });
    assert.equal(
      commissionWithoutSteps({ figures: huge, exchange: SAME }, { rates: of, rules: rules() })
        .amount,
      computeCommission(huge, of, rules(), SAME).amount,
    );
  });

  test('a larger base never gives less', () => {
    holds(fc.tuple(scenarios, amounts, fc.nat()), ([s, more, which]) => {
      const { items: list, subtotal, total: sum } = s.order;
      const index = list.length > 0 ? which % list.length : -1;
      const larger = withOrder(s, {
        items: list.map((l, i) =>
          i === index ? { ...l, subtotal: l.subtotal + more, total: l.total + more } : l,
        ),
        subtotal: subtotal + more,
        total: sum + more,
      });
      assert.ok(commissionOf(larger).amount >= commissionOf(s).amount);
    });
  });

  test('more shipping, tax or fees never give less', () => {
    const extras = fc.constantFrom('shipping' as const, 'tax' as const, 'fees' as const);
    holds(fc.tuple(scenarios, amounts, extras), ([s, more, extra]) => {
      const larger = withOrder(s, {
        [extra]: s.order[extra] + more,
        total: s.order.total + more,
      });
      assert.ok(commissionOf(larger).amount >= commissionOf(s).amount);
    });
  });

  test('more refund never gives more', () => {
    holds(fc.tuple(scenarios, refunds), ([s, another]) => {
      const after = withOrder(s, { refunds: [...s.order.refunds, another] });
      assert.ok(commissionOf(after).amount <= commissionOf(s).amount);
    });
  });

  test('refunding everything gives exactly zero', () => {
    holds(
      scenarios.filter((s) => s.order.total > 0),
      (s) => {
        const done = total(s.order.refunds.map(({ amount }) => amount));
        const rest = refund(Math.max(0, s.order.total - done));
        const refunded = withOrder(s, { refunds: [...s.order.refunds, rest] });
        assert.equal(commissionOf(refunded).amount, 0);
      },
    );
  });

  test('splitting or reordering its lines makes no difference', () => {
    holds(scenarios, (s) => {
      const halves = s.order.items.flatMap((l) => [half(l, Math.floor), half(l, Math.ceil)]);
      const split = withOrder(s, { items: halves.toReversed() });
      assert.equal(commissionOf(split).amount, commissionOf(s).amount);
    });
  });
});
