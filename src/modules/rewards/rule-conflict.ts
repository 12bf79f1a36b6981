import { decidedBy } from './hidden-by.ts';
import type { RewardRule } from './rule.ts';

type Ids = readonly (string | number)[];

/** Whether an order may earn something else with one rule above the other than below it, for one affiliate. */
export function areInConflict(one: RewardRule, other: RewardRule): boolean {
  const earned = [one, other].map(({ rate, limit }) => JSON.stringify([rate, limit]));
  if (earned[0] === earned[1] || areApart(one, other)) return false;
  const [mine, others] = [decidedBy(one.rate), decidedBy(other.rate)];
  const both = mine.map((isDecided, i) => isDecided && others[i]);
  // A fixed amount per order is decided once, also by rules for different products.
  if (both[1] && !one.rate.excluded && !other.rate.excluded) return true;
  return both.includes(true) && !haveNoneOf(one.what.products, other.what.products);
}

/** Whether no order matches both. Makes no claim about what only the orders decide, such as two categories. */
function areApart(one: RewardRule, other: RewardRule): boolean {
  const [a, b] = [one.order, other.order];
  const differ = (name: 'customer' | 'payment') =>
    ![a[name], b[name]].some((kind) => (kind ?? 'any') === 'any') && a[name] !== b[name];
  const isBefore = (x: RewardRule, y: RewardRule) =>
    (x.to !== null && y.from !== null && x.to < y.from) ||
    (x.order.payments?.to ?? Infinity) < (y.order.payments?.from ?? 1);
  return (
    differ('customer') ||
    differ('payment') ||
    isBefore(one, other) ||
    isBefore(other, one) ||
    haveNoneOf(one.who.coupons, other.who.coupons) ||
    haveNoneOf(a.countries, b.countries) ||
    haveNoneOf(a.via, b.via) ||
    haveNoneOf(a.stores, b.stores)
  );
}

function haveNoneOf(ids: Ids | undefined, others: Ids | undefined): boolean {
  return ids !== undefined && others !== undefined && !ids.some((id) => others.includes(id));
}
