import { percentOf, plus, roundedTimes, times, type Fraction } from '../../../shared/money.ts';
import {
  computeCommission,
  ownOf,
  type BaseRules,
  type Commission,
  type Rates,
} from './commission.ts';
import type { OrderFigures } from './order-figures.ts';

const whole = (amount: number): Fraction => ({ numerator: BigInt(amount), denominator: 1n });

/**
 * What `computeCommission` returns, without the steps. Most orders are in the store's currency and have no refund:
 * their amounts are integers that are added up first, which takes a fraction of the time.
 */
export function commissionWithoutSteps(
  order: OrderFigures,
  rates: Rates,
  rules: BaseRules,
  exchange: Fraction,
): Omit<Commission, 'steps'> {
  const isSimple =
    order.refunds.length === 0 &&
    exchange.numerator === exchange.denominator &&
    !rates.caps &&
    !rates.share;
  if (!isSimple) return computeCommission(order, rates, rules, exchange);
  const usual = rates.percent.value;
  // What the usual percentage applies to, and what others and fixed amounts add.
  let base = baseWithoutLines(order, rules);
  let others = 0;
  let added: Fraction = whole(rates.fixedPerOrder.value);
  for (const line of order.items) {
    const own = ownOf(rates.lines, line);
    const percent = own?.percent?.value ?? ownOf(rates.productPercents, line) ?? usual;
    const fixed = (own?.fixedPerProduct ?? rates.fixedPerProduct).value;
    const amount = rules.beforeDiscount ? line.subtotal : line.total;
    if (fixed !== 0) added = plus(added, whole(fixed * line.quantity));
    if (percent === usual) base += amount;
    else {
      others += amount;
      if (percent !== 0) added = plus(added, times(whole(amount), percentOf(percent)));
    }
  }
  const sum = plus(added, times(whole(base), percentOf(usual)));
  const earned = roundedTimes(1, sum);
  const { maxPerOrder } = rules;
  return {
    amount: maxPerOrder > 0 ? Math.min(earned, maxPerOrder) : earned,
    base: whole(base + others),
  };
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
