/** The other systems that affiliates can be moved from. Every `--help` shows them without loading their manifests. */
export const affiliateSystems = [
  'affiliatewp',
  'coupon-affiliates',
  'rewardful',
  'tapfiliate',
  'firstpromoter',
  'refersion',
] as const;
export type AffiliateSystem = (typeof affiliateSystems)[number];
