export { applyStatusesNow } from './resettle/apply-statuses.ts';
export { toStatusCounts, type CouponFigures } from './figures.ts';
export { referralFollowers, type Following, type ReferralFollower } from './follow-referral.ts';
export type { ReferralRow } from './order-store.ts';
export { isOutdated } from './resettle/outdated-store.ts';
export { rangeCacheOf } from './range-cache.ts';
export { resettleOrders } from './resettle/resettle-orders.ts';
export { countedStatuses, orderStatuses } from './settings.ts';
export {
  referredOrderColumns,
  ReferredOrderSchema,
  toCurrencies,
  toReferredOrder,
  type ReferredOrderRow,
} from './order-wire.ts';
