import type { Site } from '../../kernel/site.ts';
import {
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from '../coupons/index.ts';
import type { Candidate } from './attribution.ts';
import type { BaseRules, Rate, Rates } from './commission.ts';
import {
  beforeDiscount,
  includeFees,
  includeShipping,
  includeTax,
  maxPerOrder,
  productPercents,
} from './settings.ts';

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
  const minor = (major: number) => currency.toMinor(major) ?? 0;
  return {
    self,
    rates: {
      percent: firstOf<number>(
        coupon.percent === null ? null : Number(coupon.percent),
        coupon.group_percent === null ? null : Number(coupon.group_percent),
        settings.get(commissionPercent),
      ),
      fixedPerOrder: firstOf(
        coupon.fixed_per_order,
        coupon.group_fixed_per_order,
        minor(settings.get(commissionFixedPerOrder)),
      ),
      fixedPerProduct: firstOf(
        coupon.fixed_per_product,
        coupon.group_fixed_per_product,
        minor(settings.get(commissionFixedPerProduct)),
      ),
      productPercents: settings.get(productPercents),
    },
    rules: {
      beforeDiscount: settings.get(beforeDiscount),
      includeShipping: settings.get(includeShipping),
      includeTax: settings.get(includeTax),
      includeFees: settings.get(includeFees),
      maxPerOrder: minor(settings.get(maxPerOrder)),
    },
  };
}

function firstOf<T>(coupon: T | null, group: T | null, store: T): Rate<T> {
  if (coupon !== null) return { value: coupon, source: 'coupon' };
  return group !== null ? { value: group, source: 'group' } : { value: store, source: 'store' };
}
