import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import type { RewardRule } from './rule.ts';

/** The names of what rules refer to by id. A missing name means that it was deleted. */
export interface RuleNames {
  readonly groups: Map<number, string>;
  readonly affiliates: Map<number, string>;
  readonly coupons: Map<number, string>;
  readonly stores: Map<number, string>;
}

/** A rule as one sentence. */
export function ruleSentence(
  rule: RewardRule,
  names: RuleNames,
  _language: Language,
  _site: Pick<Site, 'currency'>,
): string {
  const { who, what, rate } = rule;
  const named = (ids: readonly number[], of: Map<number, string>) =>
    ids.map((id) => of.get(id) ?? `(deleted ${id})`).join(', ');
  const whose = who.groups
    ? `Affiliates of ${named(who.groups, names.groups)}`
    : who.affiliates
      ? named(who.affiliates, names.affiliates)
      : who.coupons
        ? `Coupons ${named(who.coupons, names.coupons)}`
        : 'All affiliates';
  const goods = what.products ?? what.categories ?? what.tags;
  const on = goods ? ` on ${goods.join(', ')}` : '';
  if (rate.excluded) return `${whose} earn nothing${on}.`;
  const percent = rate.steps ? rate.steps.steps[0]!.percent : rate.percent;
  const parts = [
    ...(percent === null || percent === undefined ? [] : [`${percent} %`]),
    ...(rate.fixed_per_order ? [`${rate.fixed_per_order} per order`] : []),
    ...(rate.fixed_per_product ? [`${rate.fixed_per_product} per product`] : []),
  ];
  return `${whose} earn ${parts.join(' and ')}${on}.`;
}
