import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { readAll } from '../../../db/statements/calls.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import { leak } from '../patterns/code-leaked.ts';
import { dayBefore, listRefunded, readRefundDays } from '../patterns/day-rows.ts';
import { HISTORY_DAYS } from '../patterns/days.ts';
import { manyRefunds, REFUND_DAYS } from '../patterns/many-refunds.ts';
import { patternsOn } from '../watch-patterns.ts';
import { pagesOf, pagesOfEarners, type Found, type LookBack, type Past } from './look-back.ts';

type Span = { keys: string; first: string; last: string };
type Sums = { user_id: number; orders: number; commission: number };

const earnedBetween = readAll<Span, Sums>((db, p, _given, dialect) =>
  db
    .selectFrom('coupons')
    .innerJoin('coupon_days', 'coupon_days.coupon_id', 'coupons.id')
    .select(sql<number>`coupons.user_id`.as('user_id'))
    .select(({ fn }) => [
      fn.sum<number>('coupon_days.orders_count').as('orders'),
      fn.sum<number>('coupon_days.total_commission').as('commission'),
    ])
    .where(dialect.inJsonArray('coupons.user_id', p.keys, 'number'))
    .where('coupon_days.day', '>=', p.first)
    .where('coupon_days.day', '<=', p.last)
    .groupBy('coupons.user_id'),
);

/** Adds what affiliates have earned in some days. */
async function addDays(past: Past, found: Found, span: Omit<Span, 'keys'>, userIds: number[]) {
  if (userIds.length === 0) return;
  const rows = await earnedBetween(past.site.database.read, { keys: jsonList(userIds), ...span });
  for (const { user_id, orders, commission } of rows) {
    found.addOrders(orders);
    found.addAffiliate(user_id, commission);
  }
}

function daysOf({ site: { calendar, clock }, sinceMs }: Past): { first: string; last: string } {
  return { first: calendar.dayOf(sinceMs), last: calendar.dayOf(clock()) };
}

/** Days on which an affiliate had an unusual volume, with all their orders of such a day. */
export const lookForUnusualVolume: LookBack = async (past, found) => {
  const { first, last } = daysOf(past);
  for (let day = first; day <= last; day = dayBefore(day, -1)) {
    const userIds: number[] = [];
    for await (const { userId } of patternsOn(past.site, day, 'unusual_volume', past.options)) {
      userIds.push(userId);
    }
    await addDays(past, found, { first: day, last: day }, userIds);
    await nextTurn();
  }
};

/** Affiliates with too many refunds among their last orders, as of today. All their orders of the period count. */
export const lookForManyRefunds: LookBack = async (past, found) => {
  const { read } = past.site.database;
  const { many_refunds: options } = past.options;
  const { first, last } = daysOf(past);
  const range = { first: dayBefore(last, REFUND_DAYS - 1), last };
  const minimum = Math.max(1, Math.ceil(options.share * options.orders));
  for await (const earners of pagesOfEarners(read)) {
    const keys = jsonList(earners.map(({ id }) => id));
    const refunded = await listRefunded(read, { keys, ...range, minimum });
    if (refunded.length === 0) continue;
    const ids = refunded.map(({ user_id }) => user_id);
    const days = await readRefundDays(read, ids, range);
    const matching = ids.filter((id) => manyRefunds(days.get(id)!, options));
    await addDays(past, found, { first, last }, matching);
  }
};

/** The coupons of a page take a few milliseconds. */
const COUPONS_AT_ONCE = 50;

interface CouponDay {
  coupon_id: number;
  user_id: number;
  day: string;
  orders: number;
  commission: number;
  clicks: number;
  conversions: number;
}

type Coupon = { coupon_id: number };
type CouponPage = { after: number; limit: number; first: string; last: string; minimum: number };

const busyCoupons = readAll<CouponPage, Coupon>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select('coupon_id')
    .distinct()
    .where('coupon_id', '>', p.after)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .where('orders_count', '>=', p.minimum)
    .orderBy('coupon_id')
    .limit(p.limit),
);

const daysOfCoupons = readAll<Span, CouponDay>((db, p, _given, dialect) =>
  db
    .selectFrom('coupon_days')
    .innerJoin('coupons', 'coupons.id', 'coupon_days.coupon_id')
    .select(['coupon_days.coupon_id', 'coupon_days.day', 'coupon_days.orders_count as orders'])
    .select('coupon_days.total_commission as commission')
    .select(sql<number>`coupons.user_id`.as('user_id'))
    .select(
      (['clicks', 'conversions'] as const).map((name) =>
        sql<number>`(select coalesce(sum(${sql.ref(`click_days.${name}`)}), 0) from click_days
          where click_days.coupon_id = coupon_days.coupon_id
            and click_days.day = coupon_days.day)`.as(name),
      ),
    )
    .where(dialect.inJsonArray('coupon_days.coupon_id', p.keys, 'number'))
    .where('coupon_days.day', '>=', p.first)
    .where('coupon_days.day', '<=', p.last)
    .where('coupons.user_id', 'is not', null),
);

/**
 * Days on which a code was used far more often without a click than before. Orders without a click are estimated, as
 * those of a day without the clicks of the day that led to one: reading each order would take minutes.
 */
export const lookForLeakedCodes: LookBack = async (past, found) => {
  const { read } = past.site.database;
  const { code_leaked: options } = past.options;
  const { first, last } = daysOf(past);
  const from = dayBefore(first, HISTORY_DAYS);
  const pages = pagesOf<Coupon>(
    (page) =>
      busyCoupons(read, {
        after: page?.coupon_id ?? 0,
        limit: COUPONS_AT_ONCE,
        first,
        last,
        minimum: options.orders,
      }),
    COUPONS_AT_ONCE,
  );
  for await (const coupons of pages) {
    const keys = jsonList(coupons.map(({ coupon_id }) => coupon_id));
    const rows = await daysOfCoupons(read, { keys, first: from, last });
    for (const days of Map.groupBy(rows, ({ coupon_id }) => coupon_id).values()) {
      const byDay = new Map(days.map((day) => [day.day, day]));
      for (const day of days) {
        if (day.day < first || day.orders < options.orders) continue;
        const series = Array.from({ length: HISTORY_DAYS + 1 }, (_, i) =>
          estimated(byDay.get(dayBefore(day.day, HISTORY_DAYS - i))),
        );
        if (!leak(series, options)) continue;
        found.addOrders(day.orders);
        found.addAffiliate(day.user_id, day.commission);
      }
    }
  }
};

function estimated(day: CouponDay | undefined) {
  const { orders = 0, clicks = 0, conversions = 0 } = day ?? {};
  return { orders, clicks, unlinked: Math.max(0, orders - conversions) };
}
