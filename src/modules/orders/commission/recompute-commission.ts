import type { Site } from '../../../kernel/declare/site.ts';
import { roundedTimes } from '../../../shared/money.ts';
import type { ReferralRow } from '../order-rows.ts';
import { toPrepared, type StoredContent } from '../stored-order.ts';
import { computeCommission } from './commission.ts';
import type { ReferralTerms } from './referral-terms.ts';

/**
 * What a referral earns once its order is completed, and the amount that its percentages apply to, after refunds; in
 * minor units of the store's currency.
 */
export function recomputeCommission(
  site: Site,
  order: StoredContent,
  referral: Pick<ReferralRow, 'rates'>,
): { base: number; expected: number } {
  const { figures, exchange } = toPrepared(site, order);
  const { rates, rules, self } = termsOf(referral);
  const { base, amount } = computeCommission(figures, rates, rules, exchange);
  return { base: roundedTimes(1, base), expected: self ? 0 : amount };
}

/** Whether the order is the affiliate's own and therefore earns nothing. */
export function isSelfReferral(referral: Pick<ReferralRow, 'rates'>): boolean {
  return termsOf(referral).self;
}

/** The cast is safe: only terms are stored there. */
function termsOf({ rates }: Pick<ReferralRow, 'rates'>): ReferralTerms {
  return JSON.parse(rates) as ReferralTerms;
}
