import { defineModule } from '../../kernel/declare/module.ts';
import { changeCoupon } from './change-coupon.ts';
import { couponCreated, couponUpdated } from './coupon-events.ts';
import { createCoupon } from './create-coupon.ts';
import { deleteCoupon } from './delete-coupon.ts';
import { getCoupon } from './get-coupon.ts';
import { balanceOpen } from './hand-over.ts';
import { listCoupons } from './list-coupons.ts';
import { migrations } from './migrations.ts';
import {
  attributionLink,
  attributionParameter,
  commissionFixedPerOrder,
  commissionFixedPerProduct,
  commissionPercent,
} from './settings.ts';
import { tables } from './tables.ts';

export const couponsModule = defineModule({
  name: 'coupons',
  summary: 'Coupons and their rates',
  addon: false,
  operations: [listCoupons, getCoupon, createCoupon, changeCoupon, deleteCoupon],
  events: [couponCreated, couponUpdated],
  errors: [balanceOpen],
  settings: [
    commissionPercent,
    commissionFixedPerOrder,
    commissionFixedPerProduct,
    attributionParameter,
    attributionLink,
  ],
  tables,
  migrations,
});
