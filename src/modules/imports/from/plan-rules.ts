import { ruleDefaults, type NewRule } from '../../rewards/index.ts';
import type { AffiliateGroup } from './affiliate-groups.ts';
import {
  rateKinds,
  rateNames,
  type CampaignItem,
  type RateItem,
  type RateName,
  type RateTerms,
} from './model.ts';
import type { ReportedLine } from './reported-line.ts';
import { exactAmount, requireCurrency, RowError } from './row.ts';
import type { PlanContext } from './system.ts';

/** As the schema of a rule has it. */
const LIST_MAX = 500;

/** A rule that the files would make. */
export interface PlannedRule {
  /** Without its name and the affiliates. */
  readonly rule: NewRule;
  /** The affiliates that it is for; undefined for everyone. */
  readonly owners: readonly AffiliateGroup[] | undefined;
  readonly lines: readonly ReportedLine[];
}

export interface RulePlan {
  readonly rules: readonly PlannedRule[];
  /** The standard rate of the old system, which no rule is made of. */
  readonly standard: NewRule['rate'] | undefined;
  /** Affiliates have rates, and no file says which of them are their own. */
  readonly isOwnUnknown: boolean;
}

interface Collected {
  readonly of: RateItem['of'];
  readonly terms: RateTerms;
  readonly products: Set<string>;
  readonly owners: Set<AffiliateGroup>;
  readonly lines: Set<ReportedLine>;
}

/** Collects the rates of the files, and makes rules of them. */
export class RuleCollector {
  readonly #context: PlanContext;
  /** Beside a percentage or an amount nothing else is earned. */
  readonly #isOneRate: boolean;
  readonly #collected = new Map<string, Collected>();
  readonly #rewards = new Map<string, { terms: RateTerms; line: ReportedLine }>();
  #standard: { terms: RateTerms; renewalsApart: boolean } | undefined;

  constructor(context: PlanContext, isOneRate: boolean) {
    this.#context = context;
    this.#isOneRate = isOneRate;
  }

  setStandard(standard: { terms: RateTerms; renewalsApart: boolean }): void {
    this.#standard = standard;
  }

  addReward(id: string, terms: RateTerms, line: ReportedLine): void {
    this.#rewards.set(id, { terms, line });
  }

  /** The rewards of a campaign, for those of its affiliates that are known; a default campaign is for everyone. */
  addCampaign({ id, isDefault, rewards }: CampaignItem, line: ReportedLine, members: Members) {
    for (const reward of rewards) {
      const found = this.#rewards.get(reward);
      if (!found) throw new RowError(`has the reward ${reward}, which no usable line describes`);
      const item: RateItem = isDefault
        ? { kind: 'rate', of: 'everyone', terms: found.terms }
        : { kind: 'rate', of: 'campaign', terms: found.terms, campaign: id };
      this.add(item, line, members);
    }
  }

  add(item: RateItem, line: ReportedLine, members: Members): void {
    const { of, terms, product, campaign } = item;
    this.#rateOf(terms);
    const owners = members(item);
    if (owners?.length === 0) throw new RowError('applies to no affiliate of these files');
    const key = JSON.stringify([of, campaign, terms]);
    let one = this.#collected.get(key);
    if (!one) {
      one = { of, terms, products: new Set(), owners: new Set(), lines: new Set() };
      this.#collected.set(key, one);
    }
    if (product !== undefined) one.products.add(product);
    for (const owner of owners ?? []) one.owners.add(owner);
    one.lines.add(line);
  }

  plan(): RulePlan {
    const standard = this.#standard && this.#rateOf(this.#standard.terms);
    const all = [...this.#collected.values()];
    const common = new Set([
      JSON.stringify(standard),
      // An affiliate that has reached a tier is exported with the rate of the tier.
      ...all.flatMap(({ terms }) =>
        (terms.steps?.steps ?? []).map(({ percent }) => JSON.stringify(this.#rateOf({ percent }))),
      ),
    ]);
    const used = all.filter(
      ({ of, terms }) =>
        of !== 'own' || (standard && !common.has(JSON.stringify(this.#rateOf(terms)))),
    );
    const rules = used
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .flatMap((one) => this.#rulesOf(one));
    return {
      rules: this.#isOneRate ? withoutOthers(rules, this.#context.storeRates ?? []) : rules,
      standard,
      isOwnUnknown: !standard && all.some(({ of }) => of === 'own'),
    };
  }

  #rulesOf({ of, terms, products, owners, lines }: Collected): PlannedRule[] {
    const isApart = this.#standard?.renewalsApart && of !== 'renewals' && !terms.excluded;
    const rule = {
      ...ruleDefaults,
      order: isApart ? { payment: 'first' as const } : renewalsOf(terms),
      rate: this.#rateOf(terms),
      limit: terms.limit ?? null,
    };
    const facts = { owners: undefined, lines: [...lines] };
    if (of === 'products') {
      const lists = inLists([...products].toSorted());
      return lists.map((list) => ({ ...facts, rule: { ...rule, what: { products: list } } }));
    }
    if (owners.size === 0) return [{ ...facts, rule }];
    return inLists([...owners]).map((list) => ({ ...facts, rule, owners: list }));
  }

  #rateOf({ percent, perOrder, perProduct, excluded, steps, currency: code }: RateTerms) {
    if (excluded) return { excluded };
    if (steps) return { steps };
    const { currency } = this.#context;
    requireCurrency(code, currency);
    const major = (money: RateTerms['perOrder']) =>
      money === undefined ? null : currency.toMajor(exactAmount(money, currency));
    return {
      percent: percent ?? null,
      fixed_per_order: major(perOrder),
      fixed_per_product: major(perProduct),
    };
  }
}

/**
 * Here a percentage and amounts are decided each by itself: what a rule leaves open, one below may add. So a rule sets
 * to 0 what the store or another of the rules pays.
 */
function withoutOthers(
  rules: readonly PlannedRule[],
  storeRates: readonly RateName[],
): PlannedRule[] {
  const paid = rateNames.filter(
    (name) =>
      storeRates.includes(name) ||
      rules.some(({ rule: { rate } }) => (rate[name] ?? null) !== null) ||
      (name === 'percent' && rules.some(({ rule: { rate } }) => rate.steps)),
  );
  return rules.map((one) => {
    const { rate } = one.rule;
    if (rate.excluded || rate.steps) return one;
    const others = Object.fromEntries(paid.map((name) => [name, rate[name] ?? 0]));
    return { ...one, rule: { ...one.rule, rate: { ...rate, ...others } } };
  });
}

/** The affiliates that a rate is for; undefined for everyone. */
export type Members = (item: RateItem) => readonly AffiliateGroup[] | undefined;

/** What earns nothing stands above all others, renewals included. */
function rankOf({ of, terms }: Collected): number {
  return terms.excluded ? -1 : rateKinds.indexOf(of);
}

function renewalsOf({ renewalsTo }: RateTerms): NewRule['order'] {
  if (renewalsTo === undefined) return {};
  const payments = renewalsTo === null ? {} : { payments: { from: 2, to: renewalsTo } };
  return { payment: 'renewal', ...payments };
}

function inLists<T>(all: readonly T[]): T[][] {
  const lists: T[][] = [];
  for (let at = 0; at < all.length; at += LIST_MAX) lists.push(all.slice(at, at + LIST_MAX));
  return lists;
}
