import { percentOf, plus, roundedTimes, times, type Fraction } from '../../../shared/money.ts';
import type { BasePart, RateSource, Step } from './commission-step.ts';

/** The input of a commission. Amounts are minor units of the order's currency. */
export interface OrderFigures {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly tax: number;
  readonly fees: number;
  readonly total: number;
  readonly items: readonly Line[];
  readonly refunds: readonly Refund[];
}

export interface Line {
  readonly productId: string;
  /** The categories and tags of the product, as the store names them. */
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly quantity: number;
  /** Before and after discount. */
  readonly subtotal: number;
  readonly total: number;
}

export interface Refund {
  readonly amount: number;
  /** The parts of the amount that are no goods; 0 where the store does not say. */
  readonly shipping: number;
  readonly tax: number;
  readonly fees: number;
  readonly items: readonly { productId: string; quantity: number; total: number }[];
}

export interface Rate<T> {
  readonly value: T;
  readonly source: RateSource;
}

/** The rates of one referral, chosen when it was created. Fixed amounts are in the store's currency. */
export interface Rates {
  readonly percent: Rate<number>;
  readonly fixedPerOrder: Rate<number>;
  readonly fixedPerProduct: Rate<number>;
  /** Percentages of single products, which take precedence over all others. */
  readonly productPercents: Readonly<Record<string, number>>;
}

/** What belongs to the base, and the maximum commission. */
export interface BaseRules {
  readonly beforeDiscount: boolean;
  readonly includeShipping: boolean;
  readonly includeTax: boolean;
  readonly includeFees: boolean;
  /** Minor units of the store's currency; 0 is no limit. */
  readonly maxPerOrder: number;
}

export interface Commission {
  /** Minor units of the store's currency. */
  readonly amount: number;
  /** The exact amount that the percentages apply to, after refunds. */
  readonly base: Fraction;
  readonly steps: readonly Step[];
}

/** A part of the base with the percentage that applies to it. */
interface Part {
  readonly part: BasePart;
  readonly productId?: string;
  readonly amount: Fraction;
  readonly rate: Rate<number>;
}

const ZERO: Fraction = { numerator: 0n, denominator: 1n };
const ONE: Fraction = { numerator: 1n, denominator: 1n };

/**
 * The commission of one referral: a percentage of the base, plus a fixed amount for the order, plus one for
 * each product, up to the maximum. It is exact until the end, where it is rounded once.
 *
 * A refund reduces the lines, shipping, tax and fees it names; the rest of its amount reduces everything in
 * proportion. A fully refunded order earns nothing, fixed amounts included.
 */
export function computeCommission(
  given: OrderFigures,
  rates: Rates,
  rules: BaseRules,
  /** Converts minor units of the order's currency to those of the store's. */
  exchange: Fraction,
): Commission {
  const order = { ...given, items: mergedByProduct(given.items) };
  const steps: Step[] = [];
  const refunded = refundedOf(order);
  if (refunded.total > 0 && refunded.total >= order.total) {
    steps.push({ step: 'refund', amount: ZERO });
    return { amount: 0, base: ZERO, steps };
  }

  const parts = partsOf(order, rates, rules, refunded).map((part) => ({
    ...part,
    amount: times(part.amount, exchange),
  }));
  const base = parts.reduce((sum, part) => plus(sum, part.amount), ZERO);
  steps.push(baseStep(rules, base));
  if (refunded.total > 0) {
    const amount = times({ numerator: BigInt(-refunded.total), denominator: 1n }, exchange);
    steps.push({ step: 'refund', amount });
  }

  let sum = ZERO;
  for (const part of parts) {
    const amount = times(part.amount, percentOf(part.rate.value));
    if (amount.numerator === 0n) continue;
    steps.push(percentStep(part, amount));
    sum = plus(sum, amount);
  }
  for (const fixed of fixedOf(order, rates, refunded)) {
    steps.push(fixed);
    sum = plus(sum, fixed.amount);
  }

  const maximum: Fraction = { numerator: BigInt(rules.maxPerOrder), denominator: 1n };
  if (rules.maxPerOrder > 0 && compare(sum, maximum) > 0) {
    steps.push({ step: 'maximum', amount: maximum });
    sum = maximum;
  }
  const amount = roundedTimes(1, sum);
  steps.push({ step: 'rounding', amount: { numerator: BigInt(amount), denominator: 1n } });
  return { amount, base, steps };
}

/** A product may have several lines. A refund names only the product, so its lines are merged. */
function mergedByProduct(items: readonly Line[]): Line[] {
  const merged = new Map<string, Line>();
  for (const line of items) {
    const same = merged.get(line.productId);
    merged.set(line.productId, {
      ...line,
      quantity: line.quantity + (same?.quantity ?? 0),
      subtotal: line.subtotal + (same?.subtotal ?? 0),
      total: line.total + (same?.total ?? 0),
    });
  }
  return [...merged.values()];
}

const NAMED_PARTS = ['shipping', 'tax', 'fees'] as const;
type NamedPart = (typeof NAMED_PARTS)[number];

interface Refunded {
  total: number;
  /** The refunded quantity and amount of each product of the order. */
  lines: Map<string, { quantity: number; total: number }>;
  /** The refunded amounts of the parts that are no goods. */
  parts: Record<NamedPart, number>;
  /** The share of the order that is left after refunds without lines. */
  kept: Fraction;
}

function refundedOf(order: OrderFigures): Refunded {
  const costs = new Map(order.items.map((line) => [line.productId, line.total]));
  const lines: Refunded['lines'] = new Map();
  const parts: Refunded['parts'] = { shipping: 0, tax: 0, fees: 0 };
  let total = 0;
  let named = 0;
  for (const refund of order.refunds) {
    let taken = 0;
    for (const { productId, quantity, total: asked } of refund.items) {
      const cost = costs.get(productId);
      if (cost === undefined) continue;
      const before = lines.get(productId) ?? { quantity: 0, total: 0 };
      lines.set(productId, {
        quantity: before.quantity + quantity,
        total: before.total + asked,
      });
      taken += Math.min(asked, Math.max(0, cost - before.total));
    }
    for (const part of NAMED_PARTS) {
      const back = Math.min(refund[part], order[part] - parts[part]);
      parts[part] += back;
      taken += back;
    }
    total += refund.amount;
    // What it does not name reduces everything in proportion; it cannot name more than its amount.
    named += Math.min(taken, refund.amount);
  }
  const left = order.total - named;
  const kept =
    left <= 0
      ? ONE
      : { numerator: BigInt(Math.max(0, order.total - total)), denominator: BigInt(left) };
  return { total, lines, parts, kept };
}

function partsOf(order: OrderFigures, rates: Rates, rules: BaseRules, refunded: Refunded): Part[] {
  const whole = (amount: number): Fraction => ({ numerator: BigInt(amount), denominator: 1n });
  const parts: Part[] = order.items.map((line) => {
    const { productPercents } = rates;
    // `hasOwn`, because a product id may be any text, such as `constructor`.
    const isOwn = Object.hasOwn(productPercents, line.productId);
    const percent = isOwn ? productPercents[line.productId] : undefined;
    return {
      part: 'product',
      productId: line.productId,
      amount: times(
        whole(rules.beforeDiscount ? line.subtotal : line.total),
        keptOfLine(line, refunded),
      ),
      rate: percent === undefined ? rates.percent : { value: percent, source: 'product' },
    };
  });
  if (order.items.length === 0) {
    const amount = rules.beforeDiscount ? order.subtotal : order.subtotal - order.discount;
    parts.push({ part: 'goods', amount: whole(Math.max(0, amount)), rate: rates.percent });
  }
  const included = {
    shipping: rules.includeShipping,
    tax: rules.includeTax,
    fees: rules.includeFees,
  };
  for (const part of NAMED_PARTS) {
    if (!included[part]) continue;
    const amount = whole(order[part] - refunded.parts[part]);
    parts.push({ part, amount, rate: rates.percent });
  }
  return parts.map((part) => ({ ...part, amount: times(part.amount, refunded.kept) }));
}

/** The share of a line that is left after the refunds that name it. */
function keptOfLine(line: Line, refunded: Refunded): Fraction {
  const back = refunded.lines.get(line.productId)?.total ?? 0;
  if (back <= 0) return ONE;
  if (back >= line.total) return ZERO;
  return { numerator: BigInt(line.total - back), denominator: BigInt(line.total) };
}

function fixedOf(order: OrderFigures, rates: Rates, refunded: Refunded): Step[] {
  const steps: Step[] = [];
  const { fixedPerOrder, fixedPerProduct } = rates;
  if (fixedPerOrder.value > 0) {
    steps.push({
      step: 'fixed',
      facts: { rate_of: fixedPerOrder.source },
      amount: { numerator: BigInt(fixedPerOrder.value), denominator: 1n },
    });
  }
  const quantity = order.items.reduce((sum, line) => {
    const back = refunded.lines.get(line.productId)?.quantity ?? 0;
    return sum + Math.max(0, line.quantity - back);
  }, 0);
  if (fixedPerProduct.value > 0 && quantity > 0) {
    steps.push({
      step: 'fixed',
      facts: { quantity, rate_of: fixedPerProduct.source },
      amount: { numerator: BigInt(fixedPerProduct.value) * BigInt(quantity), denominator: 1n },
    });
  }
  return steps;
}

function baseStep(rules: BaseRules, amount: Fraction): Step {
  const includes: BasePart[] = [];
  if (rules.includeShipping) includes.push('shipping');
  if (rules.includeTax) includes.push('tax');
  if (rules.includeFees) includes.push('fees');
  return { step: 'base', facts: { before_discount: rules.beforeDiscount, includes }, amount };
}

function percentStep({ part, productId, rate }: Part, amount: Fraction): Step {
  return {
    step: 'percent',
    facts: {
      percent: rate.value,
      rate_of: rate.source,
      part,
      ...(productId !== undefined && { product_id: productId }),
    },
    amount,
  };
}

function compare(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
