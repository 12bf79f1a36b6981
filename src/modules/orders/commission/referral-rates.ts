import type { Site } from '../../../kernel/declare/site.ts';
import { asGroup, chooseRates } from '../../coupons/index.ts';
import type { Candidate } from '../attribution/candidate-store.ts';
import type { BaseRules, Rates } from './commission.ts';
import {
  beforeDiscount,
  includeFees,
  includeShipping,
  includeTax,
  maxPerOrder,
  productPercents,
} from '../settings.ts';

/** What a referral was made with. It stays with it: new rates are for new orders. */
export interface ReferralTerms {
  readonly rates: Rates;
  readonly rules: BaseRules;
  /** The affiliate's own order, which earns nothing. */
  readonly self: boolean;
}

/** Coupon before group before store; products, by the order's own lines, before all of them. */
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
