import type { Site } from '../../../kernel/declare/site.ts';
import { roundedTimes } from '../../../shared/money.ts';
import type { ReferralRow } from '../order-rows.ts';
import { computeCommission } from './commission.ts';
import { toPrepared, type StoredContent } from './explain-commission.ts';
import type { ReferralTerms } from './referral-terms.ts';

/** The amount that the percentages of a referral apply to, after refunds, in minor units of the store's currency. */
export function commissionBase(
  site: Site,
  order: StoredContent,
  referral: Pick<ReferralRow, 'rates'>,
): number {
  const { figures, exchange } = toPrepared(site, order);
  const { rates, rules } = termsOf(referral);
  return roundedTimes(1, computeCommission(figures, rates, rules, exchange).base);
}

/** Whether the order is the affiliate's own and therefore earns nothing. */
export function isSelfReferral(referral: Pick<ReferralRow, 'rates'>): boolean {
  return termsOf(referral).self;
}

/** The cast is safe: only terms are stored there. */
function termsOf({ rates }: Pick<ReferralRow, 'rates'>): ReferralTerms {
  return JSON.parse(rates) as ReferralTerms;
}
