import { sql, type Compilable, type Expression, type Kysely } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { figureColumns } from '../../db/statements/columns.ts';
import { long, query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import { daysBetween } from '../../kernel/call/series.ts';
import { formerClicks, formerDays } from '../coupons/index.ts';
import { listOf, numbersOf, type NumberLists } from './number-lists.ts';
import { total, within, type InRange } from './report-rows.ts';
import { piecesOf, splitPeriod } from './whole-months.ts';

const orderSums = ['orders_count', 'total_sales', 'total_commission', 'upline_commission'] as const;
const clickSums = ['clicks', 'conversions'] as const;
type OrderLists = NumberLists<'key' | (typeof orderSums)[number]>;
type ClickLists = NumberLists<'key' | (typeof clickSums)[number]>;

/** What sums belong to. */
export type SumsOf = 'coupon' | 'affiliate';

/** The owner of coupons without an affiliate. */
export const NO_OWNER = 0;

/** The coupons with an id above the one and up to the other. */
export interface CouponRange {
  after: number;
  upTo: number;
}

type OfCoupons = InRange & CouponRange;

/** One list for each sum, and one with the coupon or the affiliate of each entry. */
function listsOf<Name extends string>(
  db: Kysely<Tables>,
  of: SumsOf,
  names: readonly Name[],
  sums: Expression<{ coupon_id: number }>,
): Compilable<NumberLists<'key' | Name>> {
  const key = of === 'coupon' ? sql`coupon_id` : sql`coalesce(user_id, ${sql.lit(NO_OWNER)})`;
  const entries =
    of === 'coupon'
      ? sql`${sums} as sums`
      : // In this order: one step in the index of the coupons for each entry.
        sql`${sums} as sums cross join (select id, user_id from coupons) as owned
          where owned.id = sums.coupon_id`;
  const lists = [
    sql`${listOf(key)} as key`,
    ...names.map((name) => sql`${listOf(sql.ref(`sums.${name}`))} as ${sql.ref(name)}`),
  ];
  return {
    compile: () =>
      sql<NumberLists<'key' | Name>>`select ${sql.join(lists)} from ${entries}`.compile(db),
  };
}

const statementsOf = (of: SumsOf) => ({
  /** One entry per coupon and day: adding them up here takes half the time of grouping them in SQLite, which sorts them. */
  ordersOfDays: query<InRange, OrderLists>((db, p) => {
    const days = db
      .selectFrom('coupon_days')
      .select(['coupon_id', ...orderSums])
      .where('day', '>=', p.first)
      .where('day', '<=', p.last);
    return listsOf(db, of, orderSums, days);
  }, long),

  clicksOfDays: query<InRange, ClickLists>((db, p) => {
    const days = db
      .selectFrom('click_days')
      .select(['coupon_id', ...clickSums])
      .where('day', '>=', p.first)
      .where('day', '<=', p.last);
    return listsOf(db, of, clickSums, days);
  }, long),

  /** One entry per coupon: the rows of a coupon are stored one after another, so nothing needs to be sorted. */
  ordersOfCoupons: query<OfCoupons, OrderLists>((db, p) => {
    const coupons = db
      .selectFrom('coupon_days')
      .select('coupon_id')
      .select(orderSums.map((name) => total(name)))
      .where('coupon_id', '>', p.after)
      .where('coupon_id', '<=', p.upTo)
      .where('day', '>=', p.first)
      .where('day', '<=', p.last)
      .groupBy('coupon_id');
    return listsOf(db, of, orderSums, coupons);
  }, long),

  /** The same of whole months, from `2026-03` to `2026-05`. */
  clicksOfCoupons: query<OfCoupons, ClickLists>((db, p) => {
    const coupons = db
      .selectFrom('click_months')
      .select('coupon_id')
      .select(clickSums.map((name) => total(name)))
      .where('coupon_id', '>', p.after)
      .where('coupon_id', '<=', p.upTo)
      .where('month', '>=', p.first)
      .where('month', '<=', p.last)
      .groupBy('coupon_id');
    return listsOf(db, of, clickSums, coupons);
  }, long),
});

const statements = { coupon: statementsOf('coupon'), affiliate: statementsOf('affiliate') };

const lastCoupon = query<object, { id: number | null }>((db) =>
  db.selectFrom('coupons').select((eb) => eb.fn.max('id').as('id')),
);

/** Adding up what one statement finds keeps other requests waiting, so it covers only this many days or coupons. */
const DAYS_AT_ONCE = 10;
const COUPONS_AT_ONCE = 5_000;

/** A longer period is read coupon by coupon, past the days of other years, instead of day by day. */
const DAYS_MAX = 62;
/** Unless it has at most this many orders or clicks. */
const FEW_MAX = 5_000;

export async function* rangesOfCoupons(db: Reader): AsyncGenerator<CouponRange> {
  const last = (await db.first(lastCoupon, {}))!.id ?? 0;
  for (let after = 0; after < last; after += COUPONS_AT_ONCE) {
    yield { after, upTo: after + COUPONS_AT_ONCE };
  }
}

/** What a coupon has earned with some orders, in minor units. */
export interface OrderSums {
  orders: number;
  sales: number;
  commission: number;
  upline_commission: number;
}

/**
 * Adds up the orders of a period by coupon or affiliate; an order with several coupons counts for each of them. A period
 * of at most a year or so may say about how many orders it has.
 */
export async function addOrders(
  db: Reader,
  of: SumsOf,
  period: InRange,
  sumsOf: (id: number) => OrderSums,
  count = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { ordersOfDays, ordersOfCoupons } = statements[of];
  const add = (lists: OrderLists) => {
    const ids = numbersOf(lists.key);
    const orders = numbersOf(lists.orders_count);
    const sales = numbersOf(lists.total_sales);
    const commissions = numbersOf(lists.total_commission);
    const shares = numbersOf(lists.upline_commission);
    for (let i = 0; i < ids.length; i++) {
      const sums = sumsOf(ids[i]!);
      sums.orders += orders[i]!;
      sums.sales += sales[i]!;
      sums.commission += commissions[i]!;
      sums.upline_commission += shares[i]!;
    }
  };
  if (daysBetween(period.first, period.last) < DAYS_MAX || count <= FEW_MAX) {
    for (const days of piecesOf(period, DAYS_AT_ONCE)) {
      add((await db.first(ordersOfDays, days))!);
    }
    return;
  }
  for await (const ids of rangesOfCoupons(db)) {
    add((await db.first(ordersOfCoupons, { ...period, ...ids }))!);
  }
}

interface ClickSums {
  clicks: number;
  conversions: number;
}

/**
 * Adds up the clicks of a period by coupon or affiliate: whole months from their own sums, the other days one by one. `count` is
 * about how many clicks the period has.
 */
export async function addClicks(
  db: Reader,
  of: SumsOf,
  period: InRange,
  sumsOf: (id: number) => ClickSums,
  count: number,
): Promise<void> {
  const { clicksOfDays, clicksOfCoupons } = statements[of];
  const add = (lists: ClickLists) => {
    const ids = numbersOf(lists.key);
    const clicks = numbersOf(lists.clicks);
    const conversions = numbersOf(lists.conversions);
    for (let i = 0; i < ids.length; i++) {
      const sums = sumsOf(ids[i]!);
      sums.clicks += clicks[i]!;
      sums.conversions += conversions[i]!;
    }
  };
  const { months, days } =
    count <= FEW_MAX ? { months: undefined, days: [period] } : splitPeriod(period);
  if (months) {
    for await (const ids of rangesOfCoupons(db)) {
      add((await db.first(clicksOfCoupons, { ...months, ...ids }))!);
    }
  }
  for (const range of days.flatMap((some) => [...piecesOf(some, DAYS_AT_ONCE)])) {
    add((await db.first(clicksOfDays, range))!);
  }
}

interface AccountSums extends OrderSums {
  readonly user_id: number;
}

/** By affiliate, what its accounts have besides the orders of its coupons in a period, or less than they. */
export const sumFormerOrders = readAll<InRange, AccountSums>(
  (db, p) => ({
    compile: () =>
      sql<AccountSums>`select coalesce(user_id, ${sql.lit(NO_OWNER)}) as user_id, sum(orders_count) as orders, sum(total_sales) as sales,
        sum(total_commission) as commission, sum(upline_commission) as upline_commission
      from ${formerDays(figureColumns, () => within('former_days', p))} as days
      group by coalesce(user_id, ${sql.lit(NO_OWNER)})`.compile(db),
  }),
  long,
);

/** The same of clicks. */
export const sumFormerClicks = readAll<InRange, ClickSums & { readonly user_id: number }>(
  (db, p) => ({
    compile: () =>
      sql<
        ClickSums & { readonly user_id: number }
      >`select coalesce(user_id, ${sql.lit(NO_OWNER)}) as user_id,
          cast(sum(clicks) as bigint) as clicks, cast(sum(conversions) as bigint) as conversions
        from ${formerClicks('campaign', () => within('former_clicks', p))} as days
        group by coalesce(user_id, ${sql.lit(NO_OWNER)})`.compile(db),
  }),
  long,
);
