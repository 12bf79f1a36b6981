import type { PreparedOrder } from '../order-input.ts';
import {
  computeCommission,
  ownOf,
  type BaseRules,
  type Commission,
  type Rate,
  type Rates,
} from './commission.ts';
import type { OrderFigures } from './order-figures.ts';
import type { ReferralTerms } from './referral-terms.ts';

/** What an order earns by some terms: what `computeCommission` returns, without the steps. */
export function commissionWithoutSteps(
  { figures, exchange }: Pick<PreparedOrder, 'figures' | 'exchange'>,
  { rates, rules }: Pick<ReferralTerms, 'rates' | 'rules'>,
): Omit<Commission, 'steps'> {
  const isSimple =
    figures.refunds.length === 0 && exchange.numerator === exchange.denominator && !rates.share;
  const simple = isSimple ? simpleCommission(figures, rates, rules) : undefined;
  return simple ?? computeCommission(figures, rates, rules, exchange);
}

const MILLION = 1_000_000;

/**
 * Most orders are in the store's currency and have no refund: what they earn is a whole number of millionths, which
 * takes a fraction of the time. Undefined where a percentage or an amount has too many digits for that.
 */
function simpleCommission(
  order: OrderFigures,
  rates: Rates,
  rules: BaseRules,
): Omit<Commission, 'steps'> | undefined {
  const { caps } = rates;
  /** What rules with a limit earn. */
  const earned = caps && new Map<number, number>();
  let sum = 0;
  const earn = ({ rule = 0 }: { readonly rule?: number }, millionths: number) => {
    sum += millionths;
    if (!earned || millionths === 0 || caps[rule] === undefined) return;
    earned.set(rule, (earned.get(rule) ?? 0) + millionths);
  };
  let base = baseWithoutLines(order, rules);
  earn(rates.percent, base * millionthsOf(rates.percent.value));
  earn(rates.fixedPerOrder, rates.fixedPerOrder.value * MILLION);
  for (const line of order.items) {
    const own = ownOf(rates.lines, line);
    const ofProduct = ownOf(rates.productPercents, line);
    const percent: Pick<Rate<number>, 'value' | 'rule'> = own?.percent ??
    (ofProduct === undefined ? rates.percent : { value: ofProduct });
    const fixed = own?.fixedPerProduct ?? rates.fixedPerProduct;
    const amount = rules.beforeDiscount ? line.subtotal : line.total;
    base += amount;
    earn(percent, amount * millionthsOf(percent.value));
    earn(fixed, fixed.value * line.quantity * MILLION);
  }
  // No part is negative, so none has lost a digit either.
  if (!(sum <= Number.MAX_SAFE_INTEGER)) return undefined;
  for (const [id, millionths] of earned ?? []) {
    const kept = Math.min(millionths, caps![id]! * MILLION);
    sum -= millionths - kept;
    earned!.set(id, rounded(kept));
  }
  const { maxPerOrder } = rules;
  const amount = maxPerOrder > 0 ? Math.min(rounded(sum), maxPerOrder) : rounded(sum);
  const commission = { amount, base: { numerator: BigInt(base), denominator: 1n } };
  return earned ? { ...commission, byRule: earned } : commission;
}

/** A percentage as a number of millionths, if it has at most four decimals; else NaN, which a sum becomes as well. */
function millionthsOf(percent: number): number {
  const millionths = Math.round(percent * 10_000);
  return millionths / 10_000 === percent ? millionths : Number.NaN;
}

/** Rounds half away from zero. */
function rounded(millionths: number): number {
  const rest = millionths % MILLION;
  return (millionths - rest) / MILLION + (2 * rest >= MILLION ? 1 : 0);
}

/** Shipping, tax and fees if they belong to the base, and the goods of an order without lines. */
function baseWithoutLines(order: OrderFigures, rules: BaseRules): number {
  let base = 0;
  if (order.items.length === 0) {
    base = Math.max(0, rules.beforeDiscount ? order.subtotal : order.subtotal - order.discount);
  }
  if (rules.includeShipping) base += order.shipping;
  if (rules.includeTax) base += order.tax;
  if (rules.includeFees) base += order.fees;
  return base;
}
