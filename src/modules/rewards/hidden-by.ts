import type { RewardRule, RuleOrder, RuleRate, RuleWhat, RuleWho } from './rule.ts';

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
    covers(listOf(above.who), listOf(rule.who)) &&
    covers(listOf(above.what), listOf(rule.what)) &&
    coversOrders(above.order, rule.order) &&
    (above.from === null || (rule.from !== null && above.from <= rule.from)) &&
    (above.to === null || (rule.to !== null && above.to >= rule.to)) &&
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

type Ids = readonly (string | number)[];

/** The one list of a part, under its name; undefined for everyone or everything. */
function listOf(part: RuleWho | RuleWhat) {
  return Object.entries<Ids | undefined>({ ...part }).find(([, ids]) => ids !== undefined);
}

function covers(above: ReturnType<typeof listOf>, list: ReturnType<typeof listOf>): boolean {
  if (!above) return true;
  return list !== undefined && above[0] === list[0] && includesAll(above[1], list[1]);
}

function includesAll(above: Ids | undefined, list: Ids | undefined): boolean {
  return above === undefined || (list?.every((one) => above.includes(one)) ?? false);
}

function coversOrders(above: RuleOrder, order: RuleOrder): boolean {
  const sameKind = (name: 'customer' | 'payment') =>
    (above[name] ?? 'any') === 'any' || above[name] === order[name];
  const { from = 1, to = Infinity } = order.payments ?? {};
  return (
    sameKind('customer') &&
    sameKind('payment') &&
    (above.payments?.from ?? 1) <= from &&
    (above.payments?.to ?? Infinity) >= to &&
    (above.min_total ?? 0) <= (order.min_total ?? 0) &&
    includesAll(above.countries, order.countries) &&
    includesAll(above.via, order.via) &&
    includesAll(above.stores, order.stores)
  );
}
