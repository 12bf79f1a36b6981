import { covers, mismatches, mismatchOf, type RewardRule } from '../../rewards/index.ts';
import { ownOf, type Rates } from './commission.ts';
import { decideRates } from './decide-rates.ts';
import type { Facts, RatedOrder } from './facts.ts';
import type { Terms } from './terms.ts';

/** Why a rule decides nothing: a condition that does not hold, or rules above it that decide everything it sets. */
export const losingReasons = [...mismatches, 'above'] as const;

/** A rule, and why it decides no rate of an order; null if it decides one. */
export interface ExplainedRule {
  readonly rule: RewardRule;
  readonly because: (typeof losingReasons)[number] | null;
}

/**
 * Why these rules and not the others decide the rates of an order: for all rules of the terms, in their order. Empty if
 * the terms have no rules.
 */
export function explainRules(terms: Terms, order: RatedOrder, facts: Facts): ExplainedRule[] {
  if (!terms.index) return [];
  const deciders = decidersOf(terms, order, decideRates(terms, order, facts));
  const lines = order.lines.length > 0 ? order.lines : [undefined];
  return terms.index.rules.map((one) => {
    const isForLines = lines.some((line) => covers(one, line));
    const mismatch = mismatchOf(one, order, facts) ?? (isForLines ? null : 'what');
    return { rule: one.rule, because: mismatch ?? (deciders.has(one.rule.id) ? null : 'above') };
  });
}

/** The rules that decide the rates which the order is computed with. */
function decidersOf({ base }: Terms, { lines }: RatedOrder, rates: Rates) {
  const ofLines = lines.map((line) => ownOf(rates.lines, line));
  // What has no line, such as shipping, earns the general percentage.
  const isGeneral =
    lines.length === 0 || base.includeShipping || base.includeTax || base.includeFees;
  return new Set([
    rates.fixedPerOrder.rule,
    isGeneral ? rates.percent.rule : undefined,
    ...ofLines.flatMap((own) => [own?.percent?.rule, own?.fixedPerProduct?.rule]),
  ]);
}
