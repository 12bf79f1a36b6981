import { hiddenBy } from './compare-rules.ts';
import type { RewardRule, RuleWho } from './rule.ts';

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
