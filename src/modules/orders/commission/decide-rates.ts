import { covers, monthsAfter, type IndexedRule, type RateName } from '../../rewards/index.ts';
import type { LineRates, Rate, Rates } from './commission.ts';
import type { Facts, RatedOrder } from './facts.ts';
import type { Line } from './order-figures.ts';
import type { Terms } from './terms.ts';

/**
 * Decides the rates of one order. Each is decided separately, from top to bottom: the first rule of the owner that
 * matches and sets it, else what renewals earn, else the percentage of the product, else the coupon's own rate, its
 * group's, the store's. A rule that excludes ends the search with nothing earned.
 */
export function decideRates(
  terms: Terms,
  order: RatedOrder,
  facts: Facts,
  rules: readonly IndexedRule[] = matchingRules(terms, order, facts),
): Rates {
  const isEarning = earnsByItself(terms, order, facts);
  // The same object for all these orders, whose text need not be made again.
  if (terms.plainRates && isEarning && rules.length === 0) return terms.plainRates;
  const builtIn = isEarning
    ? terms.rates
    : { percent: NO_RENEWAL, fixedPerOrder: NO_RENEWAL, fixedPerProduct: NO_RENEWAL };
  const productPercents: Record<string, number> = {};
  let lines: Record<string, LineRates> | undefined;
  const decide = (name: RateName, line?: Line) => decideByRules(rules, name, order, facts, line);

  for (const line of order.lines) {
    const { productId, otherIds } = line;
    const percent = decide('percent', line);
    // `hasOwn`, because a product id may be any text, such as `constructor`.
    const own = [productId, ...otherIds].find((id) => Object.hasOwn(terms.productPercents, id));
    if (percent) productPercents[productId] = percent.value;
    else if (own !== undefined && builtIn === terms.rates) {
      productPercents[productId] = terms.productPercents[own]!;
    }
    const fixedPerProduct = decide('fixedPerProduct', line);
    if (!percent && !fixedPerProduct) continue;
    lines ??= {};
    lines[productId] =
      percent && fixedPerProduct
        ? { percent, fixedPerProduct }
        : percent
          ? { percent }
          : { fixedPerProduct: fixedPerProduct! };
  }
  const caps = capsOf(rules, facts);
  return {
    percent: decide('percent') ?? builtIn.percent,
    fixedPerOrder: decidePerOrder(rules, order, facts) ?? builtIn.fixedPerOrder,
    fixedPerProduct: decide('fixedPerProduct') ?? builtIn.fixedPerProduct,
    productPercents,
    ...(lines && { lines }),
    ...(caps && { caps }),
  };
}

const NO_RULES: readonly IndexedRule[] = [];

/** The rules of some terms whose conditions an order meets. */
export function matchingRules(
  { index }: Terms,
  order: RatedOrder,
  facts: Facts,
): readonly IndexedRule[] {
  return index?.matching(order, facts) ?? NO_RULES;
}

const NO_RENEWAL: Rate<number> = { value: 0, source: 'renewals', because: 'renewals' };

/** Whether an order earns where no rule decides: the first payment does, a renewal by the setting. */
function earnsByItself({ renewals }: Terms, order: RatedOrder, { payment = 1, started }: Facts) {
  if (payment === 1 || renewals === undefined || renewals === 'always') return true;
  if (renewals === 'once' || started === undefined) return false;
  return order.day < monthsAfter(started, Number(renewals));
}

function decideByRules(
  rules: readonly IndexedRule[],
  name: RateName,
  order: RatedOrder,
  facts: Facts,
  line: Line | undefined,
): Rate<number> | undefined {
  for (const one of rules) {
    if (!covers(one, line)) continue;
    const rate = rateOf(one, name, order, facts);
    if (rate) return rate;
  }
  return undefined;
}

/** Once for the order: by the first rule for one of its lines that no rule above has excluded. */
function decidePerOrder(
  rules: readonly IndexedRule[],
  order: RatedOrder,
  facts: Facts,
): Rate<number> | undefined {
  let left: readonly (Line | undefined)[] = order.lines.length > 0 ? order.lines : [undefined];
  for (const one of rules) {
    const rate = rateOf(one, 'fixedPerOrder', order, facts);
    if (!rate || !left.some((line) => covers(one, line))) continue;
    if (!one.rule.rate.excluded) return rate;
    left = left.filter((line) => !covers(one, line));
    if (left.length === 0) return rate;
  }
  return undefined;
}

/** What a rule sets; undefined if it leaves the rate to the rules below. */
function rateOf(
  one: IndexedRule,
  name: RateName,
  order: RatedOrder,
  facts: Facts,
): Rate<number> | undefined {
  const { rule } = one;
  const set = name === 'percent' && rule.rate.steps ? stepOf(one, facts) : one.sets[name];
  if (!set || rule.rate.excluded) return set;
  return isBeyond(rule, order, facts) ? one.beyond : set;
}

/** The percentage of the highest step that the counter has reached. */
function stepOf({ rule, steps }: IndexedRule, { counters }: Facts): Rate<number> {
  const counter = counters?.[rule.id] ?? 0;
  return (steps.findLast(({ from }) => counter >= from) ?? steps[0]!).rate;
}

function isBeyond({ limit }: IndexedRule['rule'], order: RatedOrder, facts: Facts): boolean {
  if (limit?.payments !== undefined) return (facts.nth ?? 1) > limit.payments;
  if (limit?.months !== undefined && facts.since !== undefined) {
    return order.day >= monthsAfter(facts.since, limit.months);
  }
  return false;
}

/** By rule, what it may still add under its limit; undefined if no rule has one. */
function capsOf(rules: readonly IndexedRule[], { spent }: Facts): Rates['caps'] {
  let caps: Record<string, number> | undefined;
  for (const { rule, limitAmount } of rules) {
    if (limitAmount === null) continue;
    caps ??= {};
    caps[rule.id] = Math.max(0, limitAmount - (spent?.[rule.id] ?? 0));
  }
  return caps;
}
