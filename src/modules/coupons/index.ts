export { addCoupon, requireCoupon, requireReadableCoupon } from './coupon.ts';
export {
  findCoupon,
  findCouponsByUser,
  findCouponsOf,
  foldCode,
  type CouponRow,
} from './coupon-store.ts';
export {
  balanceSchemas,
  CouponCode,
  CouponFiguresSchema,
  CouponListSchema,
  sumBalances,
  toBalances,
  toCouponFigures,
  toCouponListItem,
} from './coupon-wire.ts';
export { createCoupon } from './create-coupon.ts';
export {
  asGroup,
  chooseRates,
  effectiveRates,
  groupRateColumns,
  type EffectiveRate,
  type EffectiveRates,
  type GroupRateColumns,
} from './effective-rates.ts';
export { containing } from './search.ts';
export {
  attributionParameter,
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from './settings.ts';
export { countAllCoupons } from './coupon-store.ts';
