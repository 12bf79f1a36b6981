import { adding, creating } from '../../db/create-tables.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { contribute } from '../../kernel/declare/point.ts';
import { settingEffects } from '../../kernel/declare/setting-effect.ts';
import { changeCoupon } from './change-coupon.ts';
import { couponCreated, couponUpdated } from './coupon-events.ts';
import { createCoupon } from './create-coupon.ts';
import { deleteCoupon } from './delete-coupon.ts';
import { getCoupon } from './get-coupon.ts';
import { balanceOpen } from './hand-over.ts';
import { listCoupons } from './list-coupons.ts';
import { searchCoupons } from './search-coupons.ts';
import { couponEffects } from './setting-effects.ts';
import { couponSettings } from './settings.ts';
import { tables } from './tables.ts';

export const couponsModule = defineModule({
  name: 'coupons',
  summary: 'Coupons and their rates',
  addon: false,
  operations: [listCoupons, searchCoupons, getCoupon, createCoupon, changeCoupon, deleteCoupon],
  events: [couponCreated, couponUpdated],
  errors: [balanceOpen],
  settings: couponSettings,
  migrations: [
    creating('coupons/0001-baseline', tables),
    adding('coupons/0002-after-0.7.0', tables, {
      fill: (tx) =>
        tx.execute(
          'insert into coupon_owners (coupon_id, user_id, since) select id, user_id, 0 from coupons order by id',
        ),
    }),
  ],
  contributions: couponEffects.map((effect) => contribute(settingEffects, effect)),
});
