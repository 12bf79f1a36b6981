import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { referralHooks } from '../orders/index.ts';
import { moveFigures } from './figures.ts';
import { getAffiliateStats } from './get-affiliate-stats.ts';
import { getCouponStats } from './get-coupon-stats.ts';
import { listCouponOrders } from './list-coupon-orders.ts';
import { getAffiliateSeries } from './series/get-affiliate-series.ts';
import { getCouponSeries } from './series/get-coupon-series.ts';
import { getStoreSeries } from './series/get-store-series.ts';

export const statsModule = defineModule({
  name: 'stats',
  summary: 'Sales and earnings of coupons and affiliates',
  addon: false,
  operations: [
    getCouponStats,
    listCouponOrders,
    getAffiliateStats,
    getCouponSeries,
    getAffiliateSeries,
    getStoreSeries,
  ],
  contributions: [contribute(referralHooks, moveFigures)],
});
