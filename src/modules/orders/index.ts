export { toStatusCounts, type CouponFigures } from './figures.ts';
export { rangeCacheOf } from './range-cache.ts';
export { orderStatuses } from './settings.ts';
export { ReferredOrderSchema, toReferredOrder, type ReferredOrderRow } from './order-wire.ts';
