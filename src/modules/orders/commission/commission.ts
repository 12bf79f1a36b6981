import { percentOf, plus, roundedTimes, times, type Fraction } from '../../../shared/money.ts';
import type { BasePart, NothingReason, RateSource, Step, StepFacts } from './commission-step.ts';
import type { Line, OrderFigures } from './order-figures.ts';
import { keptOfLine, NAMED_PARTS, refundedOf, type Refunded } from './refunded.ts';

export interface Rate<T> {
  readonly value: T;
  readonly source: RateSource;
  /** The rule that decided, if one did. */
  readonly rule?: number;
  readonly because?: NothingReason;
}

/** The rates of one referral, decided for the lines of its order. Fixed amounts are in the store's currency. */
export interface Rates {
  readonly percent: Rate<number>;
  readonly fixedPerOrder: Rate<number>;
  readonly fixedPerProduct: Rate<number>;
  /** Percentages of single products, which take precedence over the general one. */
  readonly productPercents: Readonly<Record<string, number>>;
  /** By product, the rates that rules decided. */
  readonly lines?: Readonly<Record<string, LineRates>>;
  /** By rule, the most that it may add to the commission: minor units of the store's currency. */
  readonly caps?: Readonly<Record<string, number>>;
  /** Which of the equal parts of the commission the referral gets; absent if it gets all of it. */
  readonly share?: Share;
}

interface Share {
  readonly of: number;
  /** From 0: the first parts get the cents that are left over. */
  readonly index: number;
}

export interface LineRates {
  readonly percent?: Rate<number>;
  readonly fixedPerProduct?: Rate<number>;
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
  /** By rule with a limit, what it adds: minor units, rounded. */
  readonly byRule?: ReadonlyMap<number, number>;
}

/** A part of the base with the percentage that applies to it. */
interface Part {
  readonly part: BasePart;
  readonly productId?: string;
  readonly amount: Fraction;
  readonly rate: Rate<number>;
}

const ZERO = whole(0);

/**
 * The commission of one referral: a percentage of the base, plus a fixed amount for the order, plus one for
 * each product, up to the maximum. It is exact until the end, where it is rounded once, and then shared.
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
  const items = mergedByProduct(given.items);
  const order = items === given.items ? given : { ...given, items };
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
    steps.push({ step: 'refund', amount: times(whole(-refunded.total), exchange) });
  }

  const earned = [...percentSteps(parts), ...fixedOf(order, rates, refunded)];
  steps.push(...earned);
  const limited = rates.caps ? limitSteps(earned, rates.caps) : undefined;
  steps.push(...(limited?.steps ?? []));
  let sum = [...earned, ...(limited?.steps ?? [])].reduce(
    (total, { amount }) => plus(total, amount),
    ZERO,
  );

  const maximum = whole(rules.maxPerOrder);
  if (rules.maxPerOrder > 0 && compare(sum, maximum) > 0) {
    steps.push({ step: 'maximum', amount: maximum });
    sum = maximum;
  }
  const amount = roundedTimes(1, sum);
  steps.push({ step: 'rounding', amount: whole(amount) });
  const earnedAlone = { amount, base, steps, ...(limited && { byRule: limited.byRule }) };
  return rates.share ? sharedOf(earnedAlone, rates.share) : earnedAlone;
}

/** One of the equal parts of a commission; together they are exactly that commission. */
function sharedOf({ amount, base, steps, byRule }: Commission, share: Share): Commission {
  const part = partOf(amount, share);
  return {
    amount: part,
    base: times(base, { numerator: 1n, denominator: BigInt(share.of) }),
    steps: [
      ...steps,
      {
        step: 'share',
        facts: { share_of: share.of },
        amount: whole(part),
      },
    ],
    ...(byRule && {
      byRule: new Map(Array.from(byRule, ([rule, earned]) => [rule, partOf(earned, share)])),
    }),
  };
}

function partOf(amount: number, { of, index }: Share): number {
  return Math.floor(amount / of) + (index < amount % of ? 1 : 0);
}

/** Takes back what rules add beyond their limits. */
function limitSteps(earned: readonly Step[], caps: NonNullable<Rates['caps']>) {
  const steps: Step[] = [];
  const byRule = new Map<number, number>();
  for (const [id, cap] of Object.entries(caps)) {
    const rule = Number(id);
    const limit = whole(cap);
    let sum = ZERO;
    for (const { facts, amount } of earned) if (facts?.rule_id === rule) sum = plus(sum, amount);
    if (sum.numerator === 0n) continue;
    if (compare(sum, limit) > 0) {
      const over = plus(limit, { numerator: -sum.numerator, denominator: sum.denominator });
      steps.push({ step: 'limit', facts: { rule_id: rule }, amount: over });
      sum = limit;
    }
    byRule.set(rule, roundedTimes(1, sum));
  }
  return { steps, byRule };
}

/** A product may have several lines. A refund names only the product, so its lines are merged. */
function mergedByProduct(items: readonly Line[]): readonly Line[] {
  if (new Set(items.map(({ productId }) => productId)).size === items.length) return items;
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

function partsOf(order: OrderFigures, rates: Rates, rules: BaseRules, refunded: Refunded): Part[] {
  const parts: Part[] = order.items.map((line) => {
    const own = ownOf(rates.productPercents, line);
    return {
      part: 'product',
      productId: line.productId,
      amount: times(
        whole(rules.beforeDiscount ? line.subtotal : line.total),
        keptOfLine(line, refunded),
      ),
      rate:
        ownOf(rates.lines, line)?.percent ??
        (own === undefined ? rates.percent : { value: own, source: 'product' }),
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

/** `hasOwn`, because a product id may be any text, such as `constructor`. */
export function ownOf<T>(
  of: Readonly<Record<string, T>> | undefined,
  { productId }: Line,
): T | undefined {
  return of && Object.hasOwn(of, productId) ? of[productId] : undefined;
}

function fixedOf(order: OrderFigures, rates: Rates, refunded: Refunded): Step[] {
  const steps: Step[] = [];
  const { fixedPerOrder } = rates;
  if (fixedPerOrder.value > 0) {
    steps.push({
      step: 'fixed',
      facts: sourceFacts(fixedPerOrder),
      amount: whole(fixedPerOrder.value),
    });
  }
  const quantities = new Map<string, { rate: Rate<number>; quantity: number }>();
  for (const line of order.items) {
    const rate = ownOf(rates.lines, line)?.fixedPerProduct ?? rates.fixedPerProduct;
    const back = refunded.lines.get(line.productId)?.quantity ?? 0;
    const kept = Math.max(0, line.quantity - back);
    if (rate.value === 0 || kept === 0) continue;
    const key = `${rate.source} ${rate.rule}`;
    const quantity = kept + (quantities.get(key)?.quantity ?? 0);
    quantities.set(key, { rate, quantity });
  }
  for (const { rate, quantity } of quantities.values()) {
    steps.push({
      step: 'fixed',
      facts: { quantity, ...sourceFacts(rate) },
      amount: { numerator: BigInt(rate.value) * BigInt(quantity), denominator: 1n },
    });
  }
  return steps;
}

function sourceFacts({ source, rule }: Rate<number>): StepFacts {
  return { rate_of: source, ...(rule !== undefined && { rule_id: rule }) };
}

function baseStep(rules: BaseRules, amount: Fraction): Step {
  const includes: BasePart[] = [];
  if (rules.includeShipping) includes.push('shipping');
  if (rules.includeTax) includes.push('tax');
  if (rules.includeFees) includes.push('fees');
  return { step: 'base', facts: { before_discount: rules.beforeDiscount, includes }, amount };
}

function percentSteps(parts: readonly Part[]): Step[] {
  const steps: Step[] = [];
  // What renewals earn is the same for all parts, so one step explains it.
  const ofRenewals = parts.find(({ rate }) => rate.because === 'renewals')?.rate;
  if (ofRenewals) {
    const facts = { percent: 0, ...sourceFacts(ofRenewals), because: 'renewals' } as const;
    steps.push({ step: 'percent', facts, amount: ZERO });
  }
  for (const { part, productId, amount, rate } of parts) {
    if (rate.because === 'renewals') continue;
    const earned = times(amount, percentOf(rate.value));
    // A part that earns nothing is explained if there is a reason.
    if (earned.numerator === 0n && rate.because === undefined) continue;
    const facts = {
      percent: rate.value,
      ...sourceFacts(rate),
      part,
      ...(productId !== undefined && { product_id: productId }),
      ...(rate.because && { because: rate.because }),
    };
    steps.push({ step: 'percent', facts, amount: earned });
  }
  return steps;
}

function compare(a: Fraction, b: Fraction): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function whole(amount: number): Fraction {
  return { numerator: BigInt(amount), denominator: 1n };
}
