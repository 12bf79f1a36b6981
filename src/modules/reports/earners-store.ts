import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { query } from '../../db/statements/query.ts';
import { Earners, NO_OWNER, type Earner, type EarnerLists } from './earners.ts';
import { total, type InRange } from './report-store.ts';

export interface Balances {
  unpaid: number;
  awaiting: number;
  pending_payout: number;
}

const COUPONS_AT_ONCE = 1_000;

/**
 * Aggregates each column into one comma-separated list: returning a row per coupon takes longer than
 * reading the coupons (measured). All lists of a statement have the same order.
 */
const list = (column: keyof Earner) =>
  sql<string | null>`string_agg(cast(${sql.ref(column)} as text), ',')`.as(column);

const earned = ['orders_count', 'total_sales', 'total_commission', 'upline_commission'] as const;

const earnerLists = [
  list('user_id'),
  list('orders_count'),
  list('total_sales'),
  list('total_commission'),
  list('upline_commission'),
] as const;

/** Balances and earners of the coupons in a range of ids, or of all. */
const couponSums = query<{ after?: number; upTo?: number }, Balances & EarnerLists>(
  (db, p, given) => {
    const coupons = db
      .selectFrom('coupons')
      .select([
        sql<number>`coalesce(user_id, ${sql.lit(NO_OWNER)})`.as('user_id'),
        'orders_count',
        'total_sales',
        'total_commission',
        'upline_commission',
        'unpaid',
        'awaiting',
        'pending_payout',
      ])
      // Coupons without any amount change nothing in the report.
      .where((eb) =>
        eb.or([
          eb('orders_count', '<>', sql.lit(0)),
          eb('upline_commission', '<>', sql.lit(0)),
          eb('unpaid', '<>', sql.lit(0)),
          eb('awaiting', '<>', sql.lit(0)),
          eb('pending_payout', '<>', sql.lit(0)),
        ]),
      )
      .$if(given('after'), (qb) => qb.where('id', '>', p.after))
      .$if(given('upTo'), (qb) => qb.where('id', '<=', p.upTo));
    return db
      .selectFrom(coupons.as('coupon'))
      .select([total('unpaid'), total('awaiting'), total('pending_payout')])
      .select(earnerLists);
  },
);

const lastCoupon = query<object, { id: number | null }>((db) =>
  db.selectFrom('coupons').select((eb) => eb.fn.max('id').as('id')),
);

/** Sums all coupons. On SQLite in pieces, because a statement blocks the event loop. */
export async function sumCoupons(
  db: Reader,
  { blocksEventLoop }: Dialect,
): Promise<{ balances: Balances; earners: Earners }> {
  const balances = { unpaid: 0, awaiting: 0, pending_payout: 0 };
  const earners = new Earners();
  const addPiece = async (ids: { after?: number; upTo?: number }) => {
    const sums = (await db.first(couponSums, ids))!;
    balances.unpaid += sums.unpaid;
    balances.awaiting += sums.awaiting;
    balances.pending_payout += sums.pending_payout;
    earners.add(sums);
  };
  if (!blocksEventLoop) {
    await addPiece({});
    return { balances, earners };
  }
  const last = (await db.first(lastCoupon, {}))!.id ?? 0;
  for (let after = 0; after < last; after += COUPONS_AT_ONCE) {
    await addPiece({ after, upTo: after + COUPONS_AT_ONCE });
    await nextTurn();
  }
  return { balances, earners };
}

const daysWithOrders = query<InRange, { day: string }>((db, p) =>
  db
    .selectFrom('store_days')
    .select('day')
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .orderBy('day'),
);

/** Earners of the next coupons that had orders on a day. */
const earnersOfDay = query<
  { day: string; after: number; limit: number },
  EarnerLists & { coupons: number; last_id: number }
>((db, p) => {
  const coupons = db
    .selectFrom('coupon_days')
    .innerJoin('coupons', 'coupons.id', 'coupon_days.coupon_id')
    .select([
      'coupons.id',
      sql<number>`coalesce(coupons.user_id, ${sql.lit(NO_OWNER)})`.as('user_id'),
      'coupon_days.orders_count',
      'coupon_days.total_sales',
      'coupon_days.total_commission',
      'coupon_days.upline_commission',
    ])
    .where('coupon_days.day', '=', p.day)
    .where('coupon_days.coupon_id', '>', p.after)
    .orderBy('coupon_days.coupon_id')
    .limit(p.limit);
  return db
    .selectFrom(coupons.as('coupon'))
    .select((eb) => [eb.fn.countAll().as('coupons'), eb.fn.max('id').as('last_id')])
    .select(earnerLists);
});

/** The same for all days and coupons at once. Grouping by coupon first leaves fewer rows to join. */
const earnersOfDays = query<InRange, EarnerLists>((db, p) => {
  const coupons = db
    .selectFrom('coupon_days')
    .select(['coupon_id'])
    .select(earned.map((name) => total(name)))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('coupon_id');
  const owners = db
    .selectFrom(coupons.as('coupon'))
    .innerJoin('coupons', 'coupons.id', 'coupon.coupon_id')
    .select(['coupons.user_id', ...earned.map((name) => total(`coupon.${name}`))])
    .where('coupons.user_id', 'is not', null)
    .groupBy('coupons.user_id');
  return db.selectFrom(owners.as('owner')).select(earnerLists);
});

/** Earners of a range of days. On SQLite in pieces, because a statement blocks the event loop. */
export async function earnersOfRange(
  db: Reader,
  { blocksEventLoop }: Dialect,
  range: InRange,
): Promise<Earners> {
  const earners = new Earners();
  if (!blocksEventLoop) {
    earners.add((await db.first(earnersOfDays, range))!);
    return earners;
  }
  const limit = COUPONS_AT_ONCE;
  for (const { day } of await db.all(daysWithOrders, range)) {
    let after = 0;
    for (;;) {
      const piece = (await db.first(earnersOfDay, { day, after, limit }))!;
      earners.add(piece);
      await nextTurn();
      if (piece.coupons < limit) break;
      after = piece.last_id;
    }
  }
  return earners;
}
