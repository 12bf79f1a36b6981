import { sql } from 'kysely';
import { readAll } from '../../../db/statements/calls.ts';
import type { Series } from '../../../kernel/call/series.ts';
import { formerDays } from '../../coupons/index.ts';

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

/** What of the days of a coupon is of affiliates who had it before, with the opposite sign. */
export const listFormerDays = readAll<Days & { coupon_id: number }, DayFigures>((db, p) =>
  db
    .selectFrom('former_days')
    .select(['day', ...seriesFigures.map((name) => sql<number>`-${sql.ref(name)}`.as(name))])
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

/** What the accounts of an affiliate have besides the days of its coupons, or less than they. */
export const listFormerUserDays = readAll<Days & { user_id: number }, DayFigures>((db, p) => ({
  compile: () =>
    sql<DayFigures>`select day, ${sql.join(seriesFigures.map((name) => sql.ref(name)))}
      from ${formerDays(seriesFigures, (user) => sql`${user} = ${p.user_id}`)} as days
      where day >= ${p.from} and day <= ${p.to}`.compile(db),
}));

export const listStoreDays = readAll<Days, DayFigures>((db, p) =>
  db
    .selectFrom('store_days')
    .select(['day', ...seriesFigures])
    .where('day', '>=', p.from)
    .where('day', '<=', p.to),
);
