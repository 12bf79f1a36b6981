import { isIn } from './condition.ts';
import { allConditions } from './conditions.ts';
import type { RewardRule } from './rule.ts';

/** What a list of rules asks of an order. */
export interface Asked {
  readonly groups: boolean;
  readonly customers: boolean;
  /** Which order of its customer it is, and since when there are any: only limits ask that. */
  readonly history: boolean;
}

/** Every order asks, and the lists of terms stay the same. */
const askedByLists = new WeakMap<readonly RewardRule[], Asked>();

export function askedBy(rules: readonly RewardRule[]): Asked {
  let asked = askedByLists.get(rules);
  if (!asked) {
    asked = {
      groups: rules.some((rule) => asks(rule, 'groups')),
      customers: rules.some(asksForCustomer),
      history: rules.some(asksForHistory),
    };
    askedByLists.set(rules, asked);
  }
  return asked;
}

/** Whether a rule asks which order of its customer an order is. */
export function asksForCustomer(rule: RewardRule): boolean {
  return asks(rule, 'customers') || asksForHistory(rule);
}

/** Whether a rule asks which credited order of its customer an order is, or since when there are any. */
function asksForHistory({ limit }: RewardRule): boolean {
  return limit?.payments !== undefined || limit?.months !== undefined;
}

const asking = Map.groupBy(allConditions, ({ asks: facts }) => facts);

function asks(rule: RewardRule, facts: 'groups' | 'customers'): boolean {
  return asking.get(facts)!.some((one) => isIn(one, rule));
}

/** Whether a rule counts new customers. */
export function countsNewCustomers({ rate }: RewardRule): boolean {
  return rate.steps?.by === 'new_customers';
}
