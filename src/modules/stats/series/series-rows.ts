import { readAll } from '../../../db/statements/calls.ts';
import type { Series } from '../../../kernel/call/series.ts';

export const seriesFigures = [
  'orders_count',
  'total_sales',
  'total_commission',
  'upline_commission',
] as const;

/** The figures of one day, in minor units. */
export type DayFigures = { day: string } & Record<(typeof seriesFigures)[number], number>;

type Days = Pick<Series, 'from' | 'to'>;

export const listCouponDays = readAll<Days & { coupon_id: number }, DayFigures>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select(['day', ...seriesFigures])
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
      ...seriesFigures.map((name) => eb.fn.sum<number>(`coupon_days.${name}`).as(name)),
    ])
    .where('coupons.user_id', '=', p.user_id)
    .where('coupon_days.day', '>=', p.from)
    .where('coupon_days.day', '<=', p.to)
    .groupBy('coupon_days.day'),
);

export const listStoreDays = readAll<Days, DayFigures>((db, p) =>
  db
    .selectFrom('store_days')
    .select(['day', ...seriesFigures])
    .where('day', '>=', p.from)
    .where('day', '<=', p.to),
);
