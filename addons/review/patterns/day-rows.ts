import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import type { Dialect } from '../../../src/db/dialect.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { long } from '../../../src/db/statements/query.ts';
import { jsonList } from '../../../src/db/statements/rows-query.ts';
import { daysOfAccounts, formerClicks } from '../../../src/modules/coupons/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { pagesOf, wideRange } from '../past/look-back.ts';
import type { RefundDay } from './many-refunds.ts';
import type { VolumeDay } from './unusual-volume.ts';

/** One statement takes a few milliseconds. */
const COUPONS_AT_ONCE = 500;

/** The day that is `back` days before. */
export function dayBefore(day: string, back: number): string {
  return new Date(Date.parse(day) - back * DAY_MS).toISOString().slice(0, 10);
}

export function daysOf({ first, last }: Range): string[] {
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

interface Page {
  day: string;
  after: number;
  limit: number;
}

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

/** What a coupon has had on a day, or an account; without an affiliate, it is of none. */
export interface CouponDay {
  coupon_id: number;
  user_id: number | null;
  day: string;
  orders: number;
  commission: number;
}

export type AccountDay<D = CouponDay> = D & { user_id: number };

const formerDaysOf = readAll<Series, CouponDay & { user_id: number }>((db, p, _given, dialect) =>
  db
    .selectFrom('former_days')
    .select(['coupon_id', 'user_id', 'day', 'orders_count as orders'])
    .select('total_commission as commission')
    .where(dialect.inJsonArray('coupon_id', p.keys, 'number'))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

/** Days of coupons as those of accounts: what is of former affiliates is not of today's. */
export async function byAccount<D extends CouponDay>(
  db: Reader,
  rows: readonly D[],
  range: Range,
): Promise<AccountDay<D>[]> {
  const keys = jsonList([...new Set(rows.map(({ coupon_id }) => coupon_id))]);
  const keyOf = ({ coupon_id, day }: CouponDay) => `${coupon_id} ${day}`;
  const former = Map.groupBy(await formerDaysOf(db, { keys, ...range }), keyOf);
  return rows
    .flatMap((row) => {
      const others = (former.get(keyOf(row)) ?? []).map((other) => ({ ...row, ...other }));
      const orders = others.reduce((left, other) => left - other.orders, row.orders);
      const commission = others.reduce((left, other) => left - other.commission, row.commission);
      return [{ ...row, orders, commission }, ...others];
    })
    .filter((row): row is AccountDay<D> => Boolean(row.user_id));
}

const nextActive = readAll<Page, CouponDay & { code: string }>(
  (db, p) =>
    db
      .selectFrom('coupon_days')
      .crossJoin('coupons')
      .select(['coupon_days.coupon_id', 'coupons.code', 'coupons.user_id', 'coupon_days.day'])
      .select(['coupon_days.orders_count as orders', 'coupon_days.total_commission as commission'])
      .whereRef('coupons.id', '=', 'coupon_days.coupon_id')
      .where('coupon_days.day', '=', p.day)
      .where('coupon_days.coupon_id', '>', p.after)
      .orderBy('coupon_days.coupon_id')
      .limit(p.limit),
  long,
);

export type ActiveAccount = AccountDay<CouponDay & { code: string }>;

/** The accounts that have had orders on a day. */
export async function* activeAccounts(db: Reader, day: string): AsyncGenerator<ActiveAccount[]> {
  for await (const rows of pagesOfCoupons(nextActive, db, day)) {
    yield byAccount(db, rows, { first: day, last: day });
  }
}

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

const nextClicked = readAll<Page, ClickedCoupon>(
  (db, p) =>
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
  long,
);

const formerlyClicked = readAll<{ day: string }, ClickedAffiliate>((db, p) => ({
  compile: () =>
    sql<ClickedAffiliate>`select user_id, clicks, conversions
      from ${formerClicks('campaign', () => sql`former_clicks.day = ${p.day}`)} as former
      where user_id > 0`.compile(db),
}));

/** The clicks of a day: by affiliate. Following the coupons takes as long as the index of days, and can be paged. */
export async function readClicked(
  db: Reader,
  day: string,
): Promise<Map<number, { clicks: number; conversions: number }>> {
  const found = new Map<number, { clicks: number; conversions: number }>();
  const add = ({ user_id, clicks, conversions }: Omit<ClickedCoupon, 'coupon_id'>) => {
    const known = found.get(user_id);
    const sums = {
      clicks: (known?.clicks ?? 0) + (clicks ?? 0),
      conversions: (known?.conversions ?? 0) + (conversions ?? 0),
    };
    found.set(user_id, sums);
  };
  for await (const rows of pagesOfCoupons(nextClicked, db, day)) rows.forEach(add);
  for (const row of await formerlyClicked(db, { day })) add(row);
  for (const [userId, { clicks }] of found) if (clicks === 0) found.delete(userId);
  return found;
}

interface Series {
  keys: string;
  first: string;
  last: string;
}

export type Range = Pick<Series, 'first' | 'last'>;
type ByAffiliate<D> = Map<number, (D & { readonly day: string })[]>;

/** The days of the accounts of some affiliates; their sums count. */
export function daysOfAffiliates(
  dialect: Dialect,
  columns: Parameters<typeof daysOfAccounts>[0],
  p: Series,
) {
  const days = daysOfAccounts(columns, dayIsWithin(dialect, 'coupon_days.day', p), (userId) =>
    dialect.inJsonArray(userId, p.keys, 'number'),
  );
  return sql`(select * from ${days} as days where day >= ${p.first} and day <= ${p.last}) as account_days`;
}

const orderDays = readAll<Series, { user_id: number; day: string; orders: number }>(
  (db, p, _given, dialect) => ({
    compile: () =>
      sql<{ user_id: number; day: string; orders: number }>`
        select user_id, day, orders_count as orders
        from ${daysOfAffiliates(dialect, ['orders_count'], p)}`.compile(db),
  }),
  long,
);

const clickDays = readAll<Series, ClickedAffiliate & { day: string }>((db, p, _given, dialect) => {
  const isAsked = (userId: RawBuilder<number>) => dialect.inJsonArray(userId, p.keys, 'number');
  const statement = sql<ClickedAffiliate & { day: string }>`
    select coupons.user_id, click_days.day, click_days.clicks, click_days.conversions
    from coupons cross join click_days
    where ${isAsked(sql<number>`coupons.user_id`)} and click_days.coupon_id = coupons.id
      and ${dayIsWithin(dialect, 'click_days.day', p)}
    union all
    select user_id, day, clicks, conversions from ${formerClicks('campaign', isAsked)} as former
    where day >= ${p.first} and day <= ${p.last}`;
  return { compile: () => statement.compile(db) };
}, long);

export function dayIsWithin(
  dialect: Dialect,
  column: 'coupon_days.day' | 'click_days.day',
  { first, last }: Range,
) {
  return sql<boolean>`${wideRange(dialect, column, 'text')} between ${first} and ${last}`;
}

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

/** Orders that were paid: one that was cancelled or has failed never was, as far as the store says. */
const PAID = ['n_processing', 'n_on_hold', 'n_completed', 'n_refunded'] as const;

const refundDays = readAll<Series, RefundDay & { user_id: number; day: string }>(
  (db, p, _given, dialect) => ({
    compile: () =>
      sql<RefundDay & { user_id: number; day: string }>`
        select user_id, day, sum(n_processing + n_on_hold + n_completed + n_refunded) as orders,
          sum(n_refunded) as refunded
        from ${daysOfAffiliates(dialect, PAID, p)} group by user_id, day`.compile(db),
  }),
  long,
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
  (db, p, _given, dialect) => ({
    compile: () =>
      sql<{ user_id: number }>`select user_id from ${daysOfAffiliates(dialect, ['n_refunded'], p)}
        group by user_id having sum(n_refunded) >= ${p.minimum}`.compile(db),
  }),
  long,
);
