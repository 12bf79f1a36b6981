export { toStatusCounts, type CouponFigures } from './figures.ts';
export { rangeCacheOf } from './range-cache.ts';
export { orderStatuses } from './settings.ts';
export {
  referredOrderColumns,
  ReferredOrderSchema,
  toReferredOrder,
  type ReferredOrderRow,
} from './order-wire.ts';
