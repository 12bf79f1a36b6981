import type { Site } from '../../../kernel/declare/site.ts';
import { asGroup, chooseRates } from '../../coupons/index.ts';
import type { Candidate } from '../attribution/candidate-rows.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { ReferralRow } from '../order-rows.ts';
import type { ReferralState } from '../tables.ts';
import {
  beforeDiscount,
  countedStatuses,
  grantedStatuses,
  includeFees,
  includeShipping,
  includeTax,
  maxPerOrder,
  productPercents,
} from '../settings.ts';
import type { BaseRules, Rates } from './commission.ts';

/** The terms a referral was created with. It keeps them: new rates apply to new orders. */
export interface ReferralTerms {
  readonly rates: Rates;
  readonly rules: BaseRules;
  /** The affiliate's own order, which earns nothing. */
  readonly self: boolean;
}

/** Rates of the coupon take precedence over those of the group and the store; those of products over all. */
export function termsFor(site: Site, coupon: Candidate, self: boolean): ReferralTerms {
  const { settings, currency } = site;
  return {
    self,
    rates: {
      ...chooseRates(site, coupon, [asGroup(coupon)]),
      productPercents: settings.get(productPercents),
    },
    rules: {
      beforeDiscount: settings.get(beforeDiscount),
      includeShipping: settings.get(includeShipping),
      includeTax: settings.get(includeTax),
      includeFees: settings.get(includeFees),
      maxPerOrder: currency.toMinor(settings.get(maxPerOrder)) ?? 0,
    },
  };
}

/** Whether an order counts in statistics now. */
export function isCounted(site: Site, status: string): boolean {
  return (site.settings.get(countedStatuses) as readonly string[]).includes(status);
}

/** Granted, or granted and held back for some days. */
export function isGranted({ state, release_at }: ReferralRow): boolean {
  return state === 'granted' || release_at !== null;
}

/**
 * The state of a referral by the status of its order. A commission that was granted stays granted while the
 * order keeps its status, even if the setting has changed since: a later refund takes back its part of the
 * money, the setting takes nothing.
 */
export function referralState(
  site: Site,
  status: string,
  {
    terms,
    dropped,
    previous,
  }: { terms: ReferralTerms; dropped: number; previous: ReferralRow | undefined },
): ReferralState {
  if (terms.self || dropped) return 'void';
  if (previous?.status === status && isGranted(previous)) return 'granted';
  if ((site.settings.get(grantedStatuses) as readonly string[]).includes(status)) return 'granted';
  return isCounted(site, status) ? 'awaiting' : 'void';
}

/** The columns of a referral that follow its order. */
export function orderColumns(
  site: Site,
  order: PreparedOrder,
  state: ReferralState,
  dropped: number,
  commission: number,
) {
  return {
    day: order.day,
    placed_at: order.placedAtMs,
    status: order.status,
    commission: state === 'void' ? 0 : commission,
    state,
    counted: isCounted(site, order.status) && !dropped ? 1 : 0,
    sales: order.total - order.refunded,
    discount: order.discount,
    shipping: order.shipping,
  };
}
