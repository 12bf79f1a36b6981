import {
  covers,
  mismatches,
  mismatchOf,
  type IndexedRule,
  type RewardRule,
} from '../../rewards/index.ts';
import type { LineRates, Rate, Rates } from './commission.ts';
import { decideRates } from './decide-rates.ts';
import type { Facts, RatedOrder } from './facts.ts';
import type { Line } from './order-figures.ts';
import type { Terms } from './terms.ts';

/** Why a rule decides nothing: a condition that does not hold, or rules above it that decide everything it sets. */
export const losingReasons = [...mismatches, 'above'] as const;

/** A rule, and what it does for an order. */
export interface ExplainedRule {
  readonly rule: RewardRule;
  /** The rates that it decides; empty if it loses. */
  readonly decides: readonly ('percent' | 'fixed_per_order' | 'fixed_per_product')[];
  /** Why it decides nothing; null if it decides. */
  readonly because: (typeof losingReasons)[number] | null;
}

/**
 * Why these rules and not the others decide the rates of an order, or of one of its lines: for all rules of the terms,
 * in their order. Empty if the terms have no rules.
 */
export function explainRules(
  terms: Terms,
  order: RatedOrder,
  facts: Facts,
  line?: Line,
): ExplainedRule[] {
  if (!terms.index) return [];
  const rates = decideRates(terms, order, facts);
  const deciders = line ? decidersOfLine(rates, line) : decidersOf(terms, order, rates);
  return terms.index.rules.map((one) => {
    const { rule } = one;
    const mismatch =
      mismatchOf(one, order, facts) ?? (isForLines(one, order, line) ? null : 'what');
    if (mismatch) return { rule, decides: [], because: mismatch };
    const decides = names.filter((name) => deciders[name].some((rate) => rate?.rule === rule.id));
    return { rule, decides, because: decides.length > 0 ? null : 'above' };
  });
}

const names = ['percent', 'fixed_per_order', 'fixed_per_product'] as const;

type Deciders = Record<(typeof names)[number], readonly (Rate<number> | undefined)[]>;

/** The rates that the order is computed with. */
function decidersOf({ base }: Terms, { lines }: RatedOrder, rates: Rates): Deciders {
  const isGeneral =
    lines.length === 0 || base.includeShipping || base.includeTax || base.includeFees;
  const ofLines = lines.map((line) => decidersOfLine(rates, line));
  return {
    // What has no line, such as shipping, earns the general percentage.
    percent: [...ofLines.flatMap(({ percent }) => percent), isGeneral ? rates.percent : undefined],
    fixed_per_order: [rates.fixedPerOrder],
    fixed_per_product: ofLines.flatMap((one) => one.fixed_per_product),
  };
}

function decidersOfLine({ lines, fixedPerOrder }: Rates, { productId }: Line): Deciders {
  // `hasOwn`, because a product id may be any text, such as `constructor`.
  const own: LineRates = lines && Object.hasOwn(lines, productId) ? lines[productId]! : {};
  return {
    percent: [own.percent],
    fixed_per_order: [fixedPerOrder],
    fixed_per_product: [own.fixedPerProduct],
  };
}

function isForLines(one: IndexedRule, { lines }: RatedOrder, line: Line | undefined): boolean {
  if (line || lines.length === 0) return covers(one, line);
  return lines.some((each) => covers(one, each));
}
