import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Currency } from '../../shared/money.ts';
import {
  isCovered,
  isIn,
  type AskedFacts,
  type AskedLine,
  type AskedOrder,
  type Condition,
  type ListCondition,
  type Mismatch,
} from './condition.ts';
import {
  conditionsOfLines,
  conditionsOfOrders,
  dayConditions,
  orderConditions,
  whoConditions,
} from './conditions.ts';
import { countsMoney, type RewardRule } from './rule.ts';

/** A rate that a rule sets. */
interface RuleRateOf {
  readonly value: number;
  readonly source: 'rule';
  readonly rule: number;
  readonly because?: 'excluded' | 'limit';
}

/** A rule with what its conditions need, and amounts in minor units. */
export interface IndexedRule {
  readonly rule: RewardRule;
  readonly position: number;
  /** Its conditions on orders. */
  readonly conditions: readonly (Pick<Condition, 'name' | 'isMet'> & {
    readonly wanted: unknown;
  })[];
  /** Whether it is for a line; undefined if it is for everything. */
  readonly covered: ((line: AskedLine) => boolean) | undefined;
  /** What it sets; undefined if it leaves that to the rules below. Percentages of steps are not there. */
  readonly sets: Readonly<Record<RateName, RuleRateOf | undefined>>;
  /** What it sets where an order is beyond its limit. */
  readonly beyond: RuleRateOf;
  /** What `from` of a step is compared with: minor units of an amount, or a number. */
  readonly steps: readonly { readonly from: number; readonly rate: RuleRateOf }[];
  readonly limitAmount: number | null;
}

export type RateName = 'percent' | 'fixedPerOrder' | 'fixedPerProduct';

/** The conditions that leave most rules aside: a rule is stored under the first of them that it has. */
const keys: readonly ListCondition[] = [...Object.values(whoConditions), ...conditionsOfLines];

/**
 * Finds the rules that may match an order without asking the others: each rule is stored under its most selective
 * condition, which is whom it is for, else what it is for.
 */
export class RuleIndex {
  readonly rules: readonly IndexedRule[];
  readonly #everything: IndexedRule[] = [];
  /** By day, those of `#everything` that are for its orders: rules of the past stay in the list. */
  readonly #onDays = new BoundedMap<string, readonly IndexedRule[]>(DAYS_MAX);
  readonly #byKey = new Map<ListCondition, Map<string | number, IndexedRule[]>>();

  constructor(rules: readonly RewardRule[], currency: Currency) {
    this.rules = rules.map((rule, position) => indexed(rule, position, currency));
    for (const one of this.rules) {
      const key = keys.find((each) => isIn(each, one.rule));
      if (!key) this.#everything.push(one);
      else for (const id of key.wanted(one.rule)!) this.#store(key, id, one);
    }
  }

  #store(key: ListCondition, id: string | number, one: IndexedRule): void {
    let ofKey = this.#byKey.get(key);
    if (!ofKey) this.#byKey.set(key, (ofKey = new Map<string | number, IndexedRule[]>()));
    const same = ofKey.get(id);
    if (same) same.push(one);
    else ofKey.set(id, [one]);
  }

  /** The rules whose conditions on the affiliate, the order and the day hold, in their order. */
  matching(order: AskedOrder, facts: AskedFacts): IndexedRule[] {
    const found: IndexedRule[] = [];
    const add = (rules: readonly IndexedRule[] | undefined) => {
      if (!rules) return;
      for (const one of rules) {
        if (!found.includes(one) && mismatchOf(one, order, facts) === undefined) found.push(one);
      }
    };
    add(this.#everythingOn(order.day));
    for (const [key, byId] of this.#byKey) {
      key.visit(order, facts, (id) => add(byId.get(id)));
    }
    return found.length > 1 ? found.sort((a, b) => a.position - b.position) : found;
  }

  #everythingOn(day: string): readonly IndexedRule[] {
    let rules = this.#onDays.get(day);
    if (!rules) {
      const { from, to } = dayConditions;
      const today = { who: {}, what: {}, order: {}, from: day, to: day };
      rules = this.#everything.filter(
        ({ rule }) => isCovered(from, rule, today) && isCovered(to, rule, today),
      );
      this.#onDays.set(day, rules);
    }
    return rules;
  }
}

const DAYS_MAX = 100;

function indexed(rule: RewardRule, position: number, currency: Currency): IndexedRule {
  const { rate, limit } = rule;
  // Amounts were checked against the currency when the rule was saved.
  const minor = (major: number) => currency.toMinor(major)!;
  const optional = (major: number | null | undefined) =>
    major === null || major === undefined ? null : minor(major);
  const source = { source: 'rule', rule: rule.id } as const;
  const rateOf = (value: number | null): RuleRateOf | undefined => {
    if (rate.excluded) return { ...source, value: 0, because: 'excluded' };
    return value === null ? undefined : { ...source, value };
  };
  return {
    rule,
    position,
    conditions: conditionsOfOrders.flatMap((one) => {
      const wanted = one.wanted(rule);
      if (wanted === undefined) return [];
      const { name, isMet } = one;
      // Objects of one shape: reading them takes half the time.
      return [
        { name, isMet, wanted: one === orderConditions.min_total ? minor(Number(wanted)) : wanted },
      ];
    }),
    covered: coveredBy(rule),
    sets: {
      percent: rateOf(rate.percent ?? null),
      fixedPerOrder: rateOf(optional(rate.fixed_per_order)),
      fixedPerProduct: rateOf(optional(rate.fixed_per_product)),
    },
    beyond: { ...source, value: 0, because: 'limit' },
    steps: (rate.steps?.steps ?? []).map(({ from, percent }) => ({
      from: countsMoney(rate.steps!.by) ? minor(from) : from,
      rate: { ...source, value: percent },
    })),
    limitAmount: optional(limit?.amount),
  };
}

function coveredBy(rule: RewardRule): IndexedRule['covered'] {
  const goods = conditionsOfLines.find((one) => isIn(one, rule));
  if (!goods) return undefined;
  const ids = new Set(goods.wanted(rule));
  return (line) => goods.idsOfLine(line).some((id) => ids.has(String(id)));
}

/** Whether a rule is for a line of the order; an order without lines is covered by rules for everything. */
export function covers({ covered }: IndexedRule, line: AskedLine | undefined): boolean {
  return covered === undefined || (line !== undefined && covered(line));
}

/** The first condition on the affiliate, the order or the day that does not hold. */
export function mismatchOf(
  { conditions }: IndexedRule,
  order: AskedOrder,
  facts: AskedFacts,
): Mismatch | undefined {
  for (const { name, isMet, wanted } of conditions) if (!isMet(wanted, order, facts)) return name;
  return undefined;
}
