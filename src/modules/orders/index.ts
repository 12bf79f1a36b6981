export { applyStatusesNow } from './apply-statuses.ts';
export { toStatusCounts, type CouponFigures } from './figures.ts';
export { referralFollowers, type Following, type ReferralFollower } from './follow-referral.ts';
export type { ReferralRow } from './order-store.ts';
export { isOutdated } from './outdated-store.ts';
export { rangeCacheOf } from './range-cache.ts';
export { resettleOrders } from './resettle-orders.ts';
export { countedStatuses, orderStatuses } from './settings.ts';
export {
  referredOrderColumns,
  ReferredOrderSchema,
  toCurrencies,
  toReferredOrder,
  type ReferredOrderRow,
} from './order-wire.ts';
