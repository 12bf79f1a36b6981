import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { query } from '../../db/query.ts';

interface InRange {
  first: string;
  last: string;
}

export interface Sums {
  orders_count: number;
  total_sales: number;
  total_discount: number;
  total_shipping: number;
  total_commission: number;
}

const total = (column: string) =>
  sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as(column.split('.').at(-1)!);

const storeTotals = query<InRange, Sums>(
  (db, p) =>
    db
      .selectFrom('store_days')
      .select([
        total('orders_count'),
        total('total_sales'),
        total('total_discount'),
        total('total_shipping'),
        total('total_commission'),
      ])
      .where('day', '>=', p.first)
      .where('day', '<=', p.last) as never,
);

const clickTotals = query<InRange, { clicks: number; conversions: number }>(
  (db, p) =>
    db
      .selectFrom('click_days')
      .select([total('clicks'), total('conversions')])
      .where('day', '>=', p.first)
      .where('day', '<=', p.last) as never,
);

export interface Earner {
  user_id: number;
  orders_count: number;
  total_sales: number;
  total_commission: number;
}

export interface Balances {
  unpaid: number;
  awaiting: number;
  pending_payout: number;
}

const COUPONS_AT_ONCE = 1_000;

/** What the coupons of some ids add up to, by owner; those of nobody have the owner 0. */
const ownersOf = query<{ after: number; upTo: number }, Earner & Balances>(
  (db, p) =>
    db
      .selectFrom('coupons')
      .select([
        sql<number>`coalesce(user_id, 0)`.as('user_id'),
        total('orders_count'),
        total('total_sales'),
        total('total_commission'),
        total('unpaid'),
        total('awaiting'),
        total('pending_payout'),
      ])
      .where('id', '>', p.after)
      .where('id', '<=', p.upTo)
      // Nothing of the others shows in a report.
      .where(sql<boolean>`orders_count + abs(unpaid) + abs(awaiting) + abs(pending_payout) > 0`)
      .groupBy(sql`coalesce(user_id, 0)`) as never,
);

const lastCoupon = query<object, { id: number | null }>((db) =>
  db.selectFrom('coupons').select((eb) => eb.fn.max('id').as('id')),
);

const daysWithOrders = query<InRange, { day: string }>((db, p) =>
  db
    .selectFrom('store_days')
    .select('day')
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .orderBy('day'),
);

/** The next coupons that had orders on a day, with their owners. */
const couponsOfDay = query<
  { day: string; after: number; limit: number },
  Earner & { coupon_id: number }
>(
  (db, p) =>
    db
      .selectFrom('coupon_days')
      .innerJoin('coupons', 'coupons.id', 'coupon_days.coupon_id')
      .select([
        'coupon_days.coupon_id',
        sql<number>`coalesce(coupons.user_id, 0)`.as('user_id'),
        'coupon_days.orders_count',
        'coupon_days.total_sales',
        'coupon_days.total_commission',
      ])
      .where('coupon_days.day', '=', p.day)
      .where('coupon_days.coupon_id', '>', p.after)
      .orderBy('coupon_days.coupon_id')
      .limit(p.limit) as never,
);

/** The same for all days and coupons at once. */
const ownersInRange = query<InRange, Earner>(
  (db, p) =>
    db
      .selectFrom('coupon_days')
      .innerJoin('coupons', 'coupons.id', 'coupon_days.coupon_id')
      .select([
        'coupons.user_id',
        total('coupon_days.orders_count'),
        total('coupon_days.total_sales'),
        total('coupon_days.total_commission'),
      ])
      .where('coupon_days.day', '>=', p.first)
      .where('coupon_days.day', '<=', p.last)
      .where('coupons.user_id', 'is not', null)
      .groupBy('coupons.user_id') as never,
);

export async function sumStore(db: Reader, range: InRange): Promise<Sums> {
  return (await db.first(storeTotals, range))!;
}

/** Balances and earners of all time in one pass over the coupons; others are served in between. */
export async function sumCoupons(
  db: Reader,
  { holdsUpProcess }: Dialect,
): Promise<{ balances: Balances; earners: Map<number, Earner> }> {
  const last = (await db.first(lastCoupon, {}))!.id ?? 0;
  const balances = { unpaid: 0, awaiting: 0, pending_payout: 0 };
  const earners = new Map<number, Earner>();
  const step = holdsUpProcess ? COUPONS_AT_ONCE : last;
  for (let after = 0; after < last; after += step) {
    for (const row of await db.all(ownersOf, { after, upTo: after + step })) {
      balances.unpaid += row.unpaid;
      balances.awaiting += row.awaiting;
      balances.pending_payout += row.pending_payout;
      if (row.user_id !== 0) add(earners, row);
    }
    await nextTurn();
  }
  return { balances, earners };
}

export async function sumClicks(db: Reader, range: InRange) {
  return (await db.first(clickTotals, range))!;
}

/** Where it would hold up others, in short steps, however long the range is. */
export async function earnersOfRange(
  db: Reader,
  { holdsUpProcess }: Dialect,
  range: InRange,
): Promise<Map<number, Earner>> {
  if (!holdsUpProcess) {
    return new Map((await db.all(ownersInRange, range)).map((row) => [row.user_id, row]));
  }
  const earners = new Map<number, Earner>();
  const limit = COUPONS_AT_ONCE;
  for (const { day } of await db.all(daysWithOrders, range)) {
    let after = 0;
    for (;;) {
      const rows = await db.all(couponsOfDay, { day, after, limit });
      for (const row of rows) if (row.user_id !== 0) add(earners, row);
      await nextTurn();
      if (rows.length < limit) break;
      after = rows.at(-1)!.coupon_id;
    }
  }
  return earners;
}

/** Those who earned most, first. */
export function topOf(earners: ReadonlyMap<number, Earner>, limit: number): Earner[] {
  return [...earners.values()]
    .filter((earner) => earner.orders_count > 0)
    .sort((a, b) => b.total_commission - a.total_commission || a.user_id - b.user_id)
    .slice(0, limit);
}

function add(earners: Map<number, Earner>, row: Earner): void {
  const known = earners.get(row.user_id);
  if (!known) {
    const { user_id, orders_count, total_sales, total_commission } = row;
    earners.set(user_id, { user_id, orders_count, total_sales, total_commission });
    return;
  }
  known.orders_count += row.orders_count;
  known.total_sales += row.total_sales;
  known.total_commission += row.total_commission;
}
