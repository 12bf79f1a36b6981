import type { Site } from '../../../kernel/declare/site.ts';
import type { AllRuleOptions, RuleName } from '../rules/rules.ts';
import { lookForFirstOrders } from './first-orders.ts';
import { Found, type LookBack } from './look-back.ts';
import { lookForSamePeople, lookForThrowawayMail } from './mail-domains.ts';
import { DAY_MS } from './order-traces.ts';
import { lookForOwnOrders } from './own-orders.ts';

const lookBacks = {
  own_order: lookForOwnOrders,
  same_people: lookForSamePeople,
  first_order_above: lookForFirstOrders,
  throwaway_mail: lookForThrowawayMail,
} satisfies Partial<Record<RuleName, LookBack>>;

type TriedRule = keyof typeof lookBacks;

export const triedRules = Object.keys(lookBacks) as TriedRule[];

/** What a rule would have found in the last days, had it looked with these options. It changes nothing. */
export async function tryRule(
  site: Site,
  name: TriedRule,
  days: number,
  options: AllRuleOptions,
): Promise<Found> {
  const found = new Found();
  await lookBacks[name]({ site, sinceMs: site.clock() - days * DAY_MS, options }, found);
  return found;
}
