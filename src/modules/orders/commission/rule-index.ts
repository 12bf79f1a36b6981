import { BoundedMap } from '../../../shared/bounded-map.ts';
import type { Currency } from '../../../shared/money.ts';
import type { RewardRule } from '../../rewards/index.ts';
import type { Rate } from './commission.ts';
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
  /** What it sets; undefined if it leaves that to the rules below. Percentages of steps are not there. */
  readonly sets: Readonly<Record<RateName, Rate<number> | undefined>>;
  /** What it sets where an order is beyond its limit. */
  readonly beyond: Rate<number>;
  /** What `from` of a step is compared with: minor units of an amount, or a number. */
  readonly steps: readonly { readonly from: number; readonly rate: Rate<number> }[];
  readonly limitAmount: number | null;
}

export type RateName = 'percent' | 'fixedPerOrder' | 'fixedPerProduct';

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
  /** By day, those of `#everything` that are for its orders: rules of the past stay in the list. */
  readonly #onDays = new BoundedMap<string, readonly IndexedRule[]>(DAYS_MAX);
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
    const found: IndexedRule[] = [];
    const add = (rules: readonly IndexedRule[] | undefined) => {
      if (!rules) return;
      for (const one of rules) {
        if (!found.includes(one) && mismatchOf(one, order, facts) === undefined) found.push(one);
      }
    };
    add(this.#everythingOn(order.day));
    add(this.#byKey.get('affiliates')?.get(facts.affiliate));
    add(this.#byKey.get('coupons')?.get(facts.coupon));
    const groups = this.#byKey.get('groups');
    if (groups) for (const id of facts.groups ?? []) add(groups.get(id));
    for (const thing of things) {
      const ofThing = this.#byKey.get(thing);
      if (!ofThing) continue;
      for (const line of order.lines) {
        for (const id of idsOf(line, thing)) add(ofThing.get(String(id)));
      }
    }
    return found.length > 1 ? found.sort((a, b) => a.position - b.position) : found;
  }

  #everythingOn(day: string): readonly IndexedRule[] {
    let rules = this.#onDays.get(day);
    if (!rules) {
      rules = this.#everything.filter(({ rule }) => outsideOf(rule, day) === undefined);
      this.#onDays.set(day, rules);
    }
    return rules;
  }
}

const DAYS_MAX = 100;

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

function idsOf({ productId, categories, tags }: Line, by: Thing): readonly (string | number)[] {
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
  const source = { source: 'rule', rule: rule.id } as const;
  const excluded: Rate<number> = { ...source, value: 0, because: 'excluded' };
  const rateOf = (value: number | null): Rate<number> | undefined => {
    if (rate.excluded) return excluded;
    return value === null ? undefined : { ...source, value };
  };
  return {
    rule,
    position,
    covered: covered && { by: covered.by, ids: new Set(covered.ids) },
    countries: order.countries && new Set(order.countries),
    minTotal: minor(order.min_total ?? 0),
    sets: {
      percent: rateOf(rate.percent ?? null),
      fixedPerOrder: rateOf(optional(rate.fixed_per_order)),
      fixedPerProduct: rateOf(optional(rate.fixed_per_product)),
    },
    beyond: { ...source, value: 0, because: 'limit' },
    steps: (rate.steps?.steps ?? []).map(({ from, percent }) => ({
      from: isMoney ? minor(from) : from,
      rate: { ...source, value: percent },
    })),
    limitAmount: optional(limit?.amount),
  };
}

/** Whether a rule is for a line of the order; an order without lines is covered by rules for everything. */
export function covers({ covered }: IndexedRule, line: Line | undefined): boolean {
  if (!covered) return true;
  if (!line) return false;
  if (covered.by === 'products') return covered.ids.has(line.productId);
  return idsOf(line, covered.by).some((id) => covered.ids.has(String(id)));
}

/** The first condition on the affiliate, the order or the day that does not hold. */
export function mismatchOf(
  one: IndexedRule,
  order: RatedOrder,
  facts: Facts,
): Exclude<Mismatch, 'what'> | undefined {
  const { rule } = one;
  if (!isFor(rule.who, facts)) return 'who';
  const outside = outsideOf(rule, order.day);
  if (outside) return outside;
  const { customer = 'any', via, stores } = rule.order;
  if (customer !== 'any' && customer !== facts.customer) return 'customer';
  if (!isPaymentOf(rule.order, facts)) return 'payment';
  if (order.total < one.minTotal) return 'min_total';
  if (one.countries && !one.countries.has(order.country ?? '')) return 'country';
  if (via && !(via as readonly string[]).includes(facts.via)) return 'via';
  if (stores && !stores.includes(order.storeId ?? 0)) return 'store';
  return undefined;
}

/** Which end of a rule's period a day is beyond. */
function outsideOf({ from, to }: RewardRule, day: string): 'from' | 'to' | undefined {
  if (from !== null && day < from) return 'from';
  return to !== null && day > to ? 'to' : undefined;
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
