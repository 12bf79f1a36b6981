import { isCovered } from './condition.ts';
import { allConditions } from './conditions.ts';
import type { RewardRule, RuleRate } from './rule.ts';

/**
 * The id of the first active rule above that always decides before the rule at this place, or null. It makes no claim
 * where it depends on the orders, such as for a group and its affiliates, or where only several rules together hide it.
 */
export function hiddenBy(rules: readonly RewardRule[], index: number): number | null {
  const rule = rules[index]!;
  const hiding = rules.slice(0, index).find((above) => above.active && hides(above, rule));
  return hiding?.id ?? null;
}

function hides(above: RewardRule, rule: RewardRule): boolean {
  return (
    decides(above.rate, rule.rate) &&
    allConditions.every((one) => isCovered(one, above, rule)) &&
    (above.running || !rule.running)
  );
}

/** Whether a rate leaves nothing of another one to decide. Beyond its limit a rule decides too: that it earns nothing. */
function decides(above: RuleRate, rate: RuleRate): boolean {
  const decided = decidedBy(above);
  return decidedBy(rate).every((isWanted, i) => decided[i] || !isWanted);
}

/** Whether a rate decides the percentage, the amount per order and the amount per product. */
export function decidedBy(rate: RuleRate): [boolean, boolean, boolean] {
  const { percent, steps, fixed_per_order, fixed_per_product, excluded = false } = rate;
  return [
    excluded || isSet(percent) || isSet(steps),
    excluded || isSet(fixed_per_order),
    excluded || isSet(fixed_per_product),
  ];
}

const isSet = (value: unknown) => value !== undefined && value !== null;
