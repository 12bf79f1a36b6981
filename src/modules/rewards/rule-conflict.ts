import type { Condition } from './condition.ts';
import { conditionsOfOrders, whatConditions } from './conditions.ts';
import { decidedBy } from './hidden-by.ts';
import type { RewardRule } from './rule.ts';

/** Whether an order may earn something else with one rule above the other than below it, for one affiliate. */
export function areInConflict(one: RewardRule, other: RewardRule): boolean {
  const earned = [one, other].map(({ rate, limit }) => JSON.stringify([rate, limit]));
  if (earned[0] === earned[1] || areApart(one, other)) return false;
  const [mine, others] = [decidedBy(one.rate), decidedBy(other.rate)];
  const both = mine.map((isDecided, i) => isDecided && others[i]);
  // A fixed amount per order is decided once, also by rules for different products.
  if (both[1] && !one.rate.excluded && !other.rate.excluded) return true;
  return both.includes(true) && !differ(whatConditions.products, one, other);
}

/** Whether no order matches both. Makes no claim about what only the orders decide, such as two categories. */
function areApart(one: RewardRule, other: RewardRule): boolean {
  const endsBefore = ({ to }: RewardRule, { from }: RewardRule) =>
    to !== null && from !== null && to < from;
  return (
    endsBefore(one, other) ||
    endsBefore(other, one) ||
    conditionsOfOrders.some((each) => differ(each, one, other))
  );
}

function differ(each: Condition, one: RewardRule, other: RewardRule): boolean {
  const [a, b] = [each.wanted(one), each.wanted(other)];
  return a !== undefined && b !== undefined && each.areApart?.(a, b) === true;
}
