import type { Currency } from '../../../shared/money.ts';
import type { RewardRule } from '../../rewards/index.ts';
import type { Line } from './order-figures.ts';
import type { Facts, RatedOrder } from './facts.ts';

/** The conditions of a rule that an order may not meet. */
export const mismatches = [
  'who',
  'what',
  'from',
  'to',
  'customer',
  'payment',
  'min_total',
  'country',
  'via',
  'store',
] as const;
type Mismatch = (typeof mismatches)[number];

/** A rule with what its conditions need: sets to look ids up in, and amounts in minor units. */
export interface IndexedRule {
  readonly rule: RewardRule;
  readonly position: number;
  readonly covered: { readonly by: Thing; readonly ids: ReadonlySet<string> } | undefined;
  readonly countries: ReadonlySet<string> | undefined;
  readonly minTotal: number;
  readonly fixedPerOrder: number | null;
  readonly fixedPerProduct: number | null;
  readonly percent: number | null;
  /** What `from` of a step is compared with: minor units of an amount, or a number. */
  readonly steps: readonly { readonly from: number; readonly percent: number }[];
  readonly limitAmount: number | null;
}

/** What a rule may be for, of what was bought. */
type Thing = 'products' | 'categories' | 'tags';
/** The condition under which a rule is stored. */
type Key = 'groups' | 'affiliates' | 'coupons' | Thing;

/**
 * Finds the rules that may match an order without asking the others: each rule is stored under its most selective
 * condition, which is whom it is for, else what it is for.
 */
export class RuleIndex {
  readonly rules: readonly IndexedRule[];
  readonly #everything: IndexedRule[] = [];
  readonly #byKey = new Map<Key, Map<string | number, IndexedRule[]>>();

  constructor(rules: readonly RewardRule[], currency: Currency) {
    this.rules = rules.map((rule, position) => indexed(rule, position, currency));
    for (const one of this.rules) {
      const key = keyOf(one.rule);
      if (!key) this.#everything.push(one);
      else for (const id of key.ids) this.#store(key.by, id, one);
    }
  }

  #store(by: Key, id: string | number, one: IndexedRule): void {
    let ofKey = this.#byKey.get(by);
    if (!ofKey) this.#byKey.set(by, (ofKey = new Map<string | number, IndexedRule[]>()));
    const same = ofKey.get(id);
    if (same) same.push(one);
    else ofKey.set(id, [one]);
  }

  /** The rules whose conditions on the affiliate, the order and the day hold, in their order. */
  matching(order: RatedOrder, facts: Facts): IndexedRule[] {
    const found = new Set<IndexedRule>();
    const add = (rules: readonly IndexedRule[] | undefined) => {
      for (const one of rules ?? []) {
        if (!found.has(one) && mismatchOf(one, order, facts) === undefined) found.add(one);
      }
    };
    add(this.#everything);
    add(this.#byKey.get('affiliates')?.get(facts.affiliate));
    add(this.#byKey.get('coupons')?.get(facts.coupon));
    const groups = this.#byKey.get('groups');
    if (groups) for (const id of facts.groups ?? []) add(groups.get(id));
    for (const thing of things) {
      const ofThing = this.#byKey.get(thing);
      if (!ofThing) continue;
      for (const line of order.lines) for (const id of idsOf(line, thing)) add(ofThing.get(id));
    }
    return [...found].sort((a, b) => a.position - b.position);
  }
}

const things: readonly Thing[] = ['products', 'categories', 'tags'];

function keyOf({
  who,
  what,
}: RewardRule): { by: Key; ids: readonly (string | number)[] } | undefined {
  if (who.groups) return { by: 'groups', ids: who.groups };
  if (who.affiliates) return { by: 'affiliates', ids: who.affiliates };
  if (who.coupons) return { by: 'coupons', ids: who.coupons };
  return coveredBy(what);
}

function coveredBy(what: RewardRule['what']): { by: Thing; ids: readonly string[] } | undefined {
  const by = things.find((thing) => what[thing]);
  return by && { by, ids: what[by]! };
}

function idsOf({ productId, categories, tags }: Line, by: Thing): readonly string[] {
  if (by === 'products') return [productId];
  return by === 'categories' ? categories : tags;
}

function indexed(rule: RewardRule, position: number, currency: Currency): IndexedRule {
  const { what, order, rate, limit } = rule;
  // Amounts were checked against the currency when the rule was saved.
  const minor = (major: number) => currency.toMinor(major)!;
  const optional = (major: number | null | undefined) =>
    major === null || major === undefined ? null : minor(major);
  const isMoney = rate.steps?.by === 'sales' || rate.steps?.by === 'commission';
  const covered = coveredBy(what);
  return {
    rule,
    position,
    covered: covered && { by: covered.by, ids: new Set(covered.ids) },
    countries: order.countries && new Set(order.countries),
    minTotal: minor(order.min_total ?? 0),
    fixedPerOrder: optional(rate.fixed_per_order),
    fixedPerProduct: optional(rate.fixed_per_product),
    percent: rate.percent ?? null,
    steps: (rate.steps?.steps ?? []).map(({ from, percent }) => ({
      from: isMoney ? minor(from) : from,
      percent,
    })),
    limitAmount: optional(limit?.amount),
  };
}

/** Whether a rule is for a line of the order; an order without lines is covered by rules for everything. */
export function covers({ covered }: IndexedRule, line: Line | undefined): boolean {
  if (!covered) return true;
  if (!line) return false;
  if (covered.by === 'products') return covered.ids.has(line.productId);
  return idsOf(line, covered.by).some((id) => covered.ids.has(id));
}

/** The first condition on the affiliate, the order or the day that does not hold. */
export function mismatchOf(
  one: IndexedRule,
  order: RatedOrder,
  facts: Facts,
): Exclude<Mismatch, 'what'> | undefined {
  const { rule } = one;
  if (!isFor(rule.who, facts)) return 'who';
  if (rule.from !== null && order.day < rule.from) return 'from';
  if (rule.to !== null && order.day > rule.to) return 'to';
  const { customer = 'any', via, stores } = rule.order;
  if (customer !== 'any' && customer !== facts.customer) return 'customer';
  if (!isPaymentOf(rule.order, facts)) return 'payment';
  if (order.total < one.minTotal) return 'min_total';
  if (one.countries && !one.countries.has(order.country ?? '')) return 'country';
  if (via && !(via as readonly string[]).includes(facts.via)) return 'via';
  if (stores && !stores.includes(order.storeId ?? 0)) return 'store';
  return undefined;
}

/** Whether a rule is for an affiliate and a coupon. */
export function isFor(
  { groups, affiliates, coupons }: RewardRule['who'],
  facts: Pick<Facts, 'groups' | 'affiliate' | 'coupon'>,
): boolean {
  if (groups) return groups.some((id) => facts.groups?.includes(id));
  if (affiliates) return affiliates.includes(facts.affiliate);
  return !coupons || coupons.includes(facts.coupon);
}

function isPaymentOf(
  { payment = 'any', payments }: RewardRule['order'],
  { payment: number = 1 }: Facts,
): boolean {
  if (payment === 'first' && number > 1) return false;
  if (payment === 'renewal' && number === 1) return false;
  return number >= (payments?.from ?? 1) && number <= (payments?.to ?? Number.POSITIVE_INFINITY);
}
