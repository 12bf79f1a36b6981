export {
  addCoupon,
  couponRecords,
  couponReaders,
  requireAccount,
  requireOwnCoupon,
  requireReadable,
  requireReadableCoupon,
  type CouponReader,
  type CouponRecords,
} from './coupon.ts';
export {
  countAllCoupons,
  findCouponsByUser,
  findCouponToChange,
  findCouponsOf,
  findCouponWithTwins,
  foldCode,
  lockCoupon,
  type CouponRow,
} from './coupon-rows.ts';
export {
  balanceSchemas,
  CouponCode,
  CouponFiguresSchema,
  CouponListSchema,
  figuresExample,
  noBalances,
  noFigures,
  sumBalances,
  toBalances,
  toCouponFigures,
  toCouponListItem,
  toFigures,
  toOpenBalances,
  type Figures,
} from './coupon-wire.ts';
export {
  findAccountsOf,
  formerAccountsOf,
  listOwners,
  type CouponAccount,
} from './account-rows.ts';
export { firstOrdersOf, lastOrdersOf } from './account-orders.ts';
export {
  addFormerClicks,
  clicksOfAccounts,
  formerClicks,
  sumFormerClicks,
  type TimedClicks,
} from './former-clicks.ts';
export {
  addFigures,
  daysOfAccounts,
  formerDays,
  ownFigures,
  sumFormerDays,
} from './former-days.ts';
export { createCoupon } from './create-coupon.ts';
export {
  asGroup,
  chooseRates,
  findDiscount,
  groupRateColumns,
  groupRateColumnsOf,
  type GroupRateColumns,
} from './effective-rates.ts';
export { listCoupons } from './list-coupons.ts';
export { disableCouponsOf, retireCoupon } from './retire-coupon.ts';
export { freeCode } from './free-code.ts';
export { CREDITING_LOCK, handOvers, lockOwners, type HandOver } from './hand-over.ts';
export { ownersAt, type CouponOwner, fromOwnerId, toOwnerId } from './owner-rows.ts';
export { referralUrl } from './referral-url.ts';
export { containing } from './search.ts';
export {
  attributionParameter,
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from './settings.ts';
export type { CouponStatus } from './tables.ts';
