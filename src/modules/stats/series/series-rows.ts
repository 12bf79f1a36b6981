import { readAll } from '../../../db/statements/calls.ts';
import type { Series } from '../../../kernel/call/series.ts';

/** The figures of one day, in minor units. */
export interface DayFigures {
  day: string;
  orders_count: number;
  total_sales: number;
  total_commission: number;
  upline_commission: number;
}

type Days = Pick<Series, 'from' | 'to'>;

const columns = [
  'day',
  'orders_count',
  'total_sales',
  'total_commission',
  'upline_commission',
] as const;

export const listCouponDays = readAll<Days & { coupon_id: number }, DayFigures>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select(columns)
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '>=', p.from)
    .where('day', '<=', p.to),
);

/** The sums over all coupons of an affiliate. */
export const listUserDays = readAll<Days & { user_id: number }, DayFigures>((db, p) =>
  db
    .selectFrom('coupons')
    .innerJoin('coupon_days', 'coupon_days.coupon_id', 'coupons.id')
    .select((eb) => [
      'coupon_days.day',
      eb.fn.sum<number>('coupon_days.orders_count').as('orders_count'),
      eb.fn.sum<number>('coupon_days.total_sales').as('total_sales'),
      eb.fn.sum<number>('coupon_days.total_commission').as('total_commission'),
      eb.fn.sum<number>('coupon_days.upline_commission').as('upline_commission'),
    ])
    .where('coupons.user_id', '=', p.user_id)
    .where('coupon_days.day', '>=', p.from)
    .where('coupon_days.day', '<=', p.to)
    .groupBy('coupon_days.day'),
);

export const listStoreDays = readAll<Days, DayFigures>((db, p) =>
  db.selectFrom('store_days').select(columns).where('day', '>=', p.from).where('day', '<=', p.to),
);
