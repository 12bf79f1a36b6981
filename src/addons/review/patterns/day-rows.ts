import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import { pagesOf, wideRange } from '../past/look-back.ts';
import type { CodeDay } from './code-leaked.ts';
import type { RefundDay } from './many-refunds.ts';
import type { VolumeDay } from './unusual-volume.ts';

const DAY_MS = 24 * 60 * 60_000;
/** One statement takes a few milliseconds. */
const COUPONS_AT_ONCE = 500;
/** So many orders of a day tell its share of orders without a click. */
const ORDERS_SAMPLED = 200;

/** The day that is `back` days before. */
export function dayBefore(day: string, back: number): string {
  return new Date(Date.parse(day) - back * DAY_MS).toISOString().slice(0, 10);
}

function daysOf({ first, last }: Range): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, i) => dayBefore(last, count - 1 - i));
}

/** A row for each of these days, with zeros for those without one. */
function withoutGaps<D extends object>(
  rows: Iterable<D & { readonly day: string }>,
  days: readonly string[],
  empty: D,
): (D & { readonly day: string })[] {
  const known = new Map(Array.from(rows, (row) => [row.day, row]));
  return days.map((day) => known.get(day) ?? { ...empty, day });
}

export interface ActiveCoupon {
  coupon_id: number;
  user_id: number;
  code: string;
  orders: number;
}

interface Page {
  day: string;
  after: number;
  limit: number;
}

const nextActive = readAll<Page, ActiveCoupon>((db, p) =>
  db
    .selectFrom('coupon_days')
    .crossJoin('coupons')
    .select(['coupon_days.coupon_id', 'coupons.code', 'coupon_days.orders_count as orders'])
    .select(sql<number>`coupons.user_id`.as('user_id'))
    .whereRef('coupons.id', '=', 'coupon_days.coupon_id')
    .where('coupon_days.day', '=', p.day)
    .where('coupon_days.coupon_id', '>', p.after)
    .where('coupons.user_id', 'is not', null)
    .orderBy('coupon_days.coupon_id')
    .limit(p.limit),
);

/** Some coupons at a time. */
function pagesOfCoupons<R extends { coupon_id: number }>(
  next: (db: Reader, page: Page) => Promise<R[]>,
  db: Reader,
  day: string,
): AsyncGenerator<R[]> {
  return pagesOf<R>(
    (last) => next(db, { day, after: last?.coupon_id ?? 0, limit: COUPONS_AT_ONCE }),
    COUPONS_AT_ONCE,
  );
}

/** The coupons that have had orders on a day. */
export const activeCoupons = (db: Reader, day: string) => pagesOfCoupons(nextActive, db, day);

interface ClickedAffiliate {
  user_id: number;
  clicks: number;
  conversions: number;
}

const sumClicks = {
  clicks: sql<number>`sum(click_days.clicks)`.as('clicks'),
  conversions: sql<number>`sum(click_days.conversions)`.as('conversions'),
};

interface ClickedCoupon {
  coupon_id: number;
  user_id: number;
  /** Null without a click, and so is what follows. */
  clicks: number | null;
  conversions: number | null;
}

const nextClicked = readAll<Page, ClickedCoupon>((db, p) =>
  db
    .selectFrom('coupons')
    .leftJoin('click_days', (join) =>
      join.onRef('click_days.coupon_id', '=', 'coupons.id').on('click_days.day', '=', p.day),
    )
    .select('coupons.id as coupon_id')
    .select(sql<number>`coupons.user_id`.as('user_id'))
    .select([sumClicks.clicks, sumClicks.conversions])
    .where('coupons.id', '>', p.after)
    .where('coupons.user_id', 'is not', null)
    .groupBy('coupons.id')
    .orderBy('coupons.id')
    .limit(p.limit),
);

/** The clicks of a day: by affiliate. Following the coupons takes as long as the index of days, and can be paged. */
export async function readClicked(
  db: Reader,
  day: string,
): Promise<Map<number, { clicks: number; conversions: number }>> {
  const found = new Map<number, { clicks: number; conversions: number }>();
  for await (const rows of pagesOfCoupons(nextClicked, db, day)) {
    for (const { user_id, clicks, conversions } of rows) {
      if (clicks === null) continue;
      const known = found.get(user_id);
      found.set(user_id, {
        clicks: (known?.clicks ?? 0) + clicks,
        conversions: (known?.conversions ?? 0) + (conversions ?? 0),
      });
    }
  }
  return found;
}

interface Series {
  keys: string;
  first: string;
  last: string;
}

/** Orders that were paid: one that was cancelled or has failed never was, as far as the store says. */
const paid = sql<number>`sum(coupon_days.n_processing + coupon_days.n_on_hold + coupon_days.n_completed
  + coupon_days.n_refunded)`;
const refunded = sql<number>`sum(coupon_days.n_refunded)`;

const orderDays = readAll<Series, { user_id: number; day: string; orders: number }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('coupons')
      .crossJoin('coupon_days')
      .select(sql<number>`coupons.user_id`.as('user_id'))
      .select(['coupon_days.day', 'coupon_days.orders_count as orders'])
      .where(dialect.inJsonArray('coupons.user_id', p.keys, 'number'))
      .whereRef('coupon_days.coupon_id', '=', 'coupons.id')
      .where(dayIsWithin(dialect, 'coupon_days.day', p)),
);

const clickDays = readAll<Series, ClickedAffiliate & { day: string }>((db, p, _given, dialect) =>
  db
    .selectFrom('coupons')
    .crossJoin('click_days')
    .select(sql<number>`coupons.user_id`.as('user_id'))
    .select(['click_days.day', 'click_days.clicks', 'click_days.conversions'])
    .where(dialect.inJsonArray('coupons.user_id', p.keys, 'number'))
    .whereRef('click_days.coupon_id', '=', 'coupons.id')
    .where(dayIsWithin(dialect, 'click_days.day', p)),
);

export function dayIsWithin(
  dialect: Dialect,
  column: 'coupon_days.day' | 'click_days.day',
  { first, last }: Range,
) {
  return sql<boolean>`${wideRange(dialect, column, 'text')} between ${first} and ${last}`;
}

type Range = Pick<Series, 'first' | 'last'>;
type ByAffiliate<D> = Map<number, (D & { readonly day: string })[]>;

/** Orders and clicks of some affiliates by day. Adding them up here takes less time than groups in the database. */
export async function readVolumeDays(
  db: Reader,
  userIds: readonly number[],
  range: Range,
): Promise<ByAffiliate<VolumeDay>> {
  const params = { keys: jsonList(userIds), ...range };
  const [orders, clicks] = await Promise.all([orderDays(db, params), clickDays(db, params)]);
  const allDays = daysOf(range);
  const position = new Map(allDays.map((day, i) => [day, i]));
  const empty = () => allDays.map((day) => ({ day, orders: 0, clicks: 0, conversions: 0 }));
  const found = new Map(userIds.map((id) => [id, empty()]));
  const at = ({ user_id, day }: { user_id: number; day: string }) =>
    found.get(user_id)![position.get(day)!]!;
  for (const row of orders) at(row).orders += row.orders;
  for (const row of clicks) {
    const day = at(row);
    day.clicks += row.clicks;
    day.conversions += row.conversions;
  }
  return found;
}

const refundDays = readAll<Series, RefundDay & { user_id: number; day: string }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('coupons')
      .crossJoin('coupon_days')
      .select(sql<number>`coupons.user_id`.as('user_id'))
      .select(['coupon_days.day', paid.as('orders'), refunded.as('refunded')])
      .where(dialect.inJsonArray('coupons.user_id', p.keys, 'number'))
      .whereRef('coupon_days.coupon_id', '=', 'coupons.id')
      .where(dayIsWithin(dialect, 'coupon_days.day', p))
      .groupBy(['coupons.user_id', 'coupon_days.day']),
);

/** Orders and refunds of some affiliates, by the day of the order. */
export async function readRefundDays(
  db: Reader,
  userIds: readonly number[],
  range: Range,
): Promise<ByAffiliate<RefundDay>> {
  const rows = await refundDays(db, { keys: jsonList(userIds), ...range });
  const found = Map.groupBy(rows, ({ user_id }) => user_id);
  const none = { orders: 0, refunded: 0 };
  const days = daysOf(range);
  return new Map(userIds.map((id) => [id, withoutGaps(found.get(id) ?? [], days, none)]));
}

/** Those of some affiliates who have at least so many refunded orders: nearly none. */
export const listRefunded = readAll<Series & { minimum: number }, { user_id: number }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('coupons')
      .crossJoin('coupon_days')
      .select(sql<number>`coupons.user_id`.as('user_id'))
      .where(dialect.inJsonArray('coupons.user_id', p.keys, 'number'))
      .whereRef('coupon_days.coupon_id', '=', 'coupons.id')
      .where(dayIsWithin(dialect, 'coupon_days.day', p))
      .groupBy('coupons.user_id')
      .having(refunded, '>=', p.minimum),
);

type OfCoupon = Range & { coupon_id: number };

/** The first orders of each day tell the share of those without a click: along an index, whatever their number. */
const codeDays = readAll<OfCoupon, { day: string; orders: number; share: number | null }>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select(['day', 'orders_count as orders'])
    .select(
      sql<number | null>`(select avg(unlinked) from (
        select case when click_id is null and credited_by = 'coupon_codes' then 1.0 else 0.0 end as unlinked
        from referrals
        where referrals.coupon_id = coupon_days.coupon_id and referrals.day = coupon_days.day and dropped = 0
        order by placed_at
        limit ${sql.lit(ORDERS_SAMPLED)}) as sampled)`.as('share'),
    )
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

const clickDaysOfCoupon = readAll<OfCoupon, { day: string; clicks: number }>((db, p) =>
  db
    .selectFrom('click_days')
    .select(['day', sumClicks.clicks])
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('day'),
);

/** The days of a code. */
export async function readCodeDays(
  db: Reader,
  couponId: number,
  range: Range,
): Promise<(CodeDay & { readonly day: string })[]> {
  const params = { coupon_id: couponId, ...range };
  const [orders, clicks] = await Promise.all([codeDays(db, params), clickDaysOfCoupon(db, params)]);
  const clicksOf = new Map(clicks.map((row) => [row.day, row.clicks]));
  const rows = new Map(orders.map((row) => [row.day, row]));
  return daysOf(range).map((day) => {
    const { orders: count = 0, share = 0 } = rows.get(day) ?? {};
    const unlinked = Math.round(count * Number(share ?? 0));
    return { day, orders: count, unlinked, clicks: clicksOf.get(day) ?? 0 };
  });
}
