import { isCovered, type Condition } from './condition.ts';
import { allConditions, conditionsOfOrders, whatConditions } from './conditions.ts';
import type { RewardRule, RuleRate, RuleWho } from './rule.ts';

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
function decidedBy(rate: RuleRate): [boolean, boolean, boolean] {
  const { percent, steps, fixed_per_order, fixed_per_product, excluded = false } = rate;
  return [
    excluded || isSet(percent) || isSet(steps),
    excluded || isSet(fixed_per_order),
    excluded || isSet(fixed_per_product),
  ];
}

const isSet = (value: unknown) => value !== undefined && value !== null;

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

/** An affiliate, as far as it decides which rules concern it. */
export interface Earner {
  readonly id: number;
  /** The ids of its groups. */
  readonly groups: readonly number[];
  /** The codes of its coupons, by id. */
  readonly coupons: ReadonlyMap<number, string>;
}

export function isConcerned({ id, groups, coupons }: Earner, who: RuleWho): boolean {
  if (who.groups) return groups.some((group) => who.groups!.includes(group));
  if (who.affiliates) return who.affiliates.includes(id);
  return !who.coupons || who.coupons.some((coupon) => coupons.has(coupon));
}

/** Those of the active rules that an affiliate can earn by on a day or later, in their order. */
export function rulesOf(earner: Earner, rules: readonly RewardRule[], today: string): RewardRule[] {
  const concerning = rules.filter(
    ({ who, to }) => isConcerned(earner, who) && (to === null || to >= today),
  );
  // From here on, what has begun has no beginning, and groups and affiliates are the one that they concern.
  const seen = concerning.map((rule) => ({
    ...rule,
    who: rule.who.coupons ? { coupons: rule.who.coupons } : {},
    from: rule.from !== null && rule.from <= today ? null : rule.from,
  }));
  return concerning.filter((_, i) => hiddenBy(seen, i) === null);
}
