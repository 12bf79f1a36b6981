import type { System } from './system.ts';
import { affiliateWp } from './systems/affiliatewp.ts';
import { couponAffiliates } from './systems/coupon-affiliates.ts';
import { firstPromoter } from './systems/firstpromoter.ts';
import { refersion } from './systems/refersion.ts';
import { rewardful } from './systems/rewardful.ts';
import { tapfiliate } from './systems/tapfiliate.ts';

/** The systems that affiliates can be moved from. */
export const systems: readonly System[] = [
  affiliateWp,
  couponAffiliates,
  rewardful,
  tapfiliate,
  firstPromoter,
  refersion,
];
