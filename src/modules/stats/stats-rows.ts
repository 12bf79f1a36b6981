import { sql, type RawBuilder } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { readAll, readFirst, readOne, write } from '../../db/statements/calls.ts';
import {
  columnGroups,
  dayColumns as dayNames,
  figureColumns,
} from '../../db/statements/columns.ts';
import { long, query } from '../../db/statements/query.ts';
import { dayExpressions, statusOf } from '../orders/index.ts';
import type { CouponFigures, Counters } from './figures.ts';

const names = [...figureColumns, ...columnGroups.statuses];

/** The sums of all figures over some rows; zeros for no rows. */
function sums(table: string) {
  return names.map((name) =>
    sql<number>`coalesce(sum(${sql.ref(`${table}.${name}`)}), 0)`.as(name),
  );
}

interface InRange {
  first: string;
  last: string;
}

export const sumCouponDays = readOne<{ coupon_id: number } & InRange, CouponFigures>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select(sums('coupon_days'))
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

export const sumUserDays = readAll<{ user_id: number } & InRange, CouponFigures & { id: number }>(
  (db, p) =>
    db
      .selectFrom('coupons')
      .leftJoin('coupon_days', (join) =>
        join
          .onRef('coupon_days.coupon_id', '=', 'coupons.id')
          .on('coupon_days.day', '>=', p.first)
          .on('coupon_days.day', '<=', p.last),
      )
      .select('coupons.id')
      .select(sums('coupon_days'))
      .where('coupons.user_id', '=', p.user_id)
      .groupBy('coupons.id')
      .orderBy('coupons.id'),
);

/** The figures of a day, which also tell what steps and bonuses count of them. */
export type DailyFigures = CouponFigures & Counters;
export type DayFigures = { day: string } & DailyFigures;
/** Of one affiliate who has or had the coupon. */
export type AccountDay = DayFigures & { user_id: number };

/** One statement takes a millisecond or two, so no other request waits long. */
const REFERRALS_AT_ONCE = 500;

/** A position in the history of a coupon, in index order. */
export interface Place {
  day: string;
  placed_at: number;
  order_id: number;
}

export const BEGINNING: Place = { day: '', placed_at: 0, order_id: 0 };
const END: Place = {
  day: '9999-12-31',
  placed_at: Number.MAX_SAFE_INTEGER,
  order_id: Number.MAX_SAFE_INTEGER,
};

const findPlace = query<Place & { coupon_id: number }, Place>((db, p) =>
  db
    .selectFrom('referrals')
    .select(['day', 'placed_at', 'order_id'])
    .where('coupon_id', '=', p.coupon_id)
    .where('dropped', '=', sql.lit(0))
    .where(sql<boolean>`(day, placed_at, order_id) > (${p.day}, ${p.placed_at}, ${p.order_id})`)
    .orderBy('day')
    .orderBy('placed_at')
    .orderBy('order_id')
    .limit(sql.lit(1))
    .offset(sql.lit(REFERRALS_AT_ONCE - 1)),
);

export interface Stretch extends Place {
  coupon_id: number;
  last_day: string;
  last_placed_at: number;
  last_order_id: number;
}

/** The sums of a range of a coupon's history, by day. */
const sumsOf = query<Stretch, AccountDay>(
  (db, p) =>
    db
      .selectFrom('referrals')
      .where('coupon_id', '=', p.coupon_id)
      .where('dropped', '=', sql.lit(0))
      .where(sql<boolean>`(day, placed_at, order_id) > (${p.day}, ${p.placed_at}, ${p.order_id})`)
      .where(
        sql<boolean>`(day, placed_at, order_id) <= (${p.last_day}, ${p.last_placed_at}, ${p.last_order_id})`,
      )
      .select(['day', 'user_id'])
      .select(
        Object.entries(dayExpressions).map(([name, value]) => sql<number>`sum(${value})`.as(name)),
      )
      .select(sql<number>`0`.as('upline_commission'))
      .groupBy('user_id')
      .groupBy('day')
      .orderBy('day'),
  long,
);

export const findStoredDays = readAll<{ coupon_id: number }, DayFigures>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select(['day', ...dayNames])
    .where('coupon_id', '=', p.coupon_id),
);

export const findFormerDays = readAll<{ coupon_id: number }, AccountDay>((db, p) =>
  db
    .selectFrom('former_days')
    .select(['day', 'user_id', ...dayNames])
    .where('coupon_id', '=', p.coupon_id),
);

export const findStoredTotals = readOne<
  { coupon_id: number },
  CouponFigures & { owner_id: number }
>((db, p) =>
  db
    .selectFrom('coupons')
    .select(names)
    .select(sql<number>`coalesce(user_id, 0)`.as('owner_id'))
    .where('id', '=', p.coupon_id),
);

/** Placeholders have no properties of their own that a spread could copy. */
function figuresIn(p: DailyFigures): DailyFigures {
  // The type of fromEntries loses the names; every name is present.
  return Object.fromEntries(dayNames.map((name) => [name, p[name]])) as DailyFigures;
}

/** `a = a + ?` for each figure, for an update or an upsert. */
function added<N extends (typeof dayNames)[number]>(
  table: string,
  p: Record<N, number>,
  columns: readonly N[],
): Record<N, RawBuilder<number>> {
  const changed = columns.map((name) => [
    name,
    sql<number>`${sql.ref(`${table}.${name}`)} + ${p[name]}`,
  ]);
  // The type of fromEntries loses the names; every name is present.
  return Object.fromEntries(changed) as Record<N, RawBuilder<number>>;
}

const addToDay = query<{ coupon_id: number } & DayFigures>((db, p) =>
  db
    .insertInto('coupon_days')
    .values({ coupon_id: p.coupon_id, day: p.day, ...figuresIn(p) })
    .onConflict((conflict) =>
      conflict.columns(['coupon_id', 'day']).doUpdateSet(added('coupon_days', p, dayNames)),
    ),
);

const addToFormerDay = query<{ coupon_id: number } & AccountDay>((db, p) =>
  db
    .insertInto('former_days')
    .values({ coupon_id: p.coupon_id, user_id: p.user_id, day: p.day, ...figuresIn(p) })
    .onConflict((conflict) =>
      conflict
        .columns(['coupon_id', 'user_id', 'day'])
        .doUpdateSet(added('former_days', p, dayNames)),
    ),
);

export const correctTotals = write<{ coupon_id: number } & CouponFigures>((db, p) =>
  db
    .updateTable('coupons')
    .set(added('coupons', p, names))
    .set((eb) => ({ figures_version: eb('figures_version', '+', 1), roster_due: 1 }))
    .where('id', '=', p.coupon_id),
);

interface At extends InRange {
  coupon_id: number;
  status?: string | undefined;
  offset: number;
}

/** The day of the order at a position, newest first, and how many orders come before that day. */
export const findDayAt = readFirst<At, { day: string; before: number }>((db, p, given) => {
  const counts = columnGroups.statuses.map((name) => {
    const count = sql.ref(name);
    if (!given('status')) return count;
    return sql`case when ${p.status} = ${sql.lit(statusOf(name))} then ${count} else 0 end`;
  });
  const n = sql<number>`(${sql.join(counts, sql` + `)})`;
  const days = db
    .selectFrom('coupon_days')
    .select(['day', sql<number>`sum(${n}) over (order by day desc) - ${n}`.as('before')])
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last);
  return db
    .selectFrom(days.as('days'))
    .select(['day', 'before'])
    .where('before', '<=', p.offset)
    .orderBy('day')
    .limit(1);
});

/** The next range of a coupon's history, and the position after it; undefined at the end. */
export async function nextStretch(
  db: Reader,
  couponId: number,
  after: Place,
): Promise<{ stretch: Stretch; last: Place | undefined }> {
  const from = { coupon_id: couponId, ...after };
  const last = await db.first(findPlace, from);
  const { day, placed_at, order_id } = last ?? END;
  const until = { last_day: day, last_placed_at: placed_at, last_order_id: order_id };
  return { stretch: { ...from, ...until }, last };
}

/**
 * The sums of some referrals after a position in the history, and the position after them; undefined at the
 * end.
 */
export async function sumNextReferrals(
  db: Reader,
  couponId: number,
  after: Place,
): Promise<{ sums: AccountDay[]; last: Place | undefined }> {
  const { stretch, last } = await nextStretch(db, couponId, after);
  return { sums: await db.all(sumsOf, stretch), last };
}

export async function correctDays(
  tx: Transaction,
  couponId: number,
  days: readonly DayFigures[],
): Promise<void> {
  for (const day of days) await tx.run(addToDay, { coupon_id: couponId, ...day });
}

export async function correctFormerDays(
  tx: Transaction,
  couponId: number,
  days: readonly AccountDay[],
): Promise<void> {
  for (const day of days) await tx.run(addToFormerDay, { coupon_id: couponId, ...day });
}

/** Adds up the figures that both have: totals have no granted ones. */
export function addUp(sum: CouponFigures, more: CouponFigures): void {
  const into: Record<string, number> = sum;
  const from: Partial<Record<string, number>> = more;
  for (const name of dayNames) if (name in into) into[name]! += from[name] ?? 0;
}

export function isNothing(figures: DailyFigures): boolean {
  return dayNames.every((name) => figures[name] === 0);
}

/** `a - b`; missing figures count as zeros. */
export function minus(a: DailyFigures | undefined, b: DailyFigures | undefined): DailyFigures {
  const differences = dayNames.map((name) => [name, (a?.[name] ?? 0) - (b?.[name] ?? 0)]);
  // The type of fromEntries loses the names; every name is present.
  return Object.fromEntries(differences) as DailyFigures;
}

/** `0 - totals`: what is missing before any history was added up. */
export function negativeTotals(totals: CouponFigures): CouponFigures {
  // The type of fromEntries loses the names; every name is present.
  return Object.fromEntries(names.map((name) => [name, 0 - totals[name]])) as CouponFigures;
}
