import { defineModule } from '../../kernel/declare/module.ts';
import { getAffiliateStats } from './get-affiliate-stats.ts';
import { getCouponStats } from './get-coupon-stats.ts';
import { listCouponOrders } from './list-coupon-orders.ts';

export const statsModule = defineModule({
  name: 'stats',
  summary: 'What coupons and affiliates have sold and earned',
  addon: false,
  operations: [getCouponStats, listCouponOrders, getAffiliateStats],
});
