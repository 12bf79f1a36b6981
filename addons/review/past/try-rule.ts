import type { Site } from '../../../src/kernel/declare/site.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import type { AllRuleOptions, RuleName } from '../rules/rules.ts';
import { lookForBannedReferrers, lookForPaidAds } from './clicks.ts';
import { lookForDuplicates } from './duplicates.ts';
import { lookForFirstOrders } from './first-orders.ts';
import { Found, type LookBack } from './look-back.ts';
import { lookForSamePeople, lookForThrowawayMail } from './mail-domains.ts';
import { lookForOwnOrders } from './own-orders.ts';
import { lookForLeakedCodes, lookForManyRefunds, lookForUnusualVolume } from './patterns.ts';

const lookBacks: Record<RuleName, LookBack> = {
  own_order: lookForOwnOrders,
  duplicate_affiliates: lookForDuplicates,
  same_people: lookForSamePeople,
  first_order_above: lookForFirstOrders,
  throwaway_mail: lookForThrowawayMail,
  paid_ads: lookForPaidAds,
  banned_referrers: lookForBannedReferrers,
  code_leaked: lookForLeakedCodes,
  unusual_volume: lookForUnusualVolume,
  many_refunds: lookForManyRefunds,
};

/** What a rule would have found in the last days, had it looked with these options. It changes nothing. */
export async function tryRule(
  site: Site,
  name: RuleName,
  days: number,
  options: AllRuleOptions,
): Promise<Found> {
  const found = new Found();
  await lookBacks[name]({ site, sinceMs: site.clock() - days * DAY_MS, options }, found);
  return found;
}
