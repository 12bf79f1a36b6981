import { sql, type Kysely } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { columnGroups } from '../../db/columns.ts';
import { query } from '../../db/query.ts';
import type { Tables } from '../../db/tables.ts';
import type { CouponFigures } from '../orders/index.ts';

const names = [...columnGroups.figures, ...columnGroups.statuses];

/** The sums of all figures over some rows; zeros where there are none. */
function sums(table: string) {
  return names.map((name) =>
    sql<number>`coalesce(sum(${sql.ref(`${table}.${name}`)}), 0)`.as(name),
  );
}

interface InRange {
  first: string;
  last: string;
}

const ofCoupon = query<{ coupon_id: number } & InRange, CouponFigures>(
  (db, p) =>
    db
      .selectFrom('coupon_days')
      .select(sums('coupon_days'))
      .where('coupon_id', '=', p.coupon_id)
      .where('day', '>=', p.first)
      .where('day', '<=', p.last) as never,
);

const ofUser = query<{ user_id: number } & InRange, CouponFigures & { id: number }>(
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
      .orderBy('coupons.id') as never,
);

const twins = query<{ code_folded: string; id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('coupons')
    .select('id')
    .where('code_folded', '=', p.code_folded)
    .where('id', '!=', p.id)
    .limit(1),
);

/** Taken once a minute: the database decides who is first. */
const takeRefresh = query<{ id: number; now: number; before: number }>((db, p) =>
  db
    .updateTable('coupons')
    .set({ refreshed_at: p.now })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('refreshed_at', 'is', null), eb('refreshed_at', '<=', p.before)])),
);

/** The next day of a coupon's history: one step in an index, however many orders a day has. */
const nextDay = query<{ coupon_id: number; after: string }, { day: string | null }>((db, p) => {
  const next = (table: 'referrals' | 'coupon_days') =>
    db
      .selectFrom(table)
      .select('day')
      .where('coupon_id', '=', p.coupon_id)
      .where('day', '>', p.after)
      .orderBy('day')
      .limit(1);
  return db
    .selectFrom(
      db
        .selectFrom(next('referrals').as('r'))
        .select('day')
        .unionAll(db.selectFrom(next('coupon_days').as('d')).select('day'))
        .as('days'),
    )
    .select((eb) => eb.fn.min<string | null>('day').as('day'));
});

const dropDay = query<{ coupon_id: number; day: string }>((db, p) =>
  db.deleteFrom('coupon_days').where('coupon_id', '=', p.coupon_id).where('day', '=', p.day),
);

function fromReferrals(db: Kysely<Tables>) {
  const counted = (column: string) => sql<number>`coalesce(sum(counted * ${sql.ref(column)}), 0)`;
  const atStatus = (name: string) => {
    const status = name.slice(2).replace('_', '-');
    return sql<number>`coalesce(sum(case when status = ${sql.lit(status)} then 1 else 0 end), 0)`;
  };
  return db
    .selectFrom('referrals')
    .select(['coupon_id', 'day'])
    .select([
      sql<number>`coalesce(sum(counted), 0)`.as('orders_count'),
      counted('sales').as('total_sales'),
      counted('discount').as('total_discount'),
      counted('shipping').as('total_shipping'),
      counted('commission').as('total_commission'),
      ...columnGroups.statuses.map((name) => atStatus(name).as(name)),
    ])
    .groupBy(['coupon_id', 'day']);
}

const rebuildDay = query<{ coupon_id: number; day: string }>((db, p) =>
  db
    .insertInto('coupon_days')
    .columns(['coupon_id', 'day', ...names] as never)
    .expression(
      fromReferrals(db).where('coupon_id', '=', p.coupon_id).where('day', '=', p.day) as never,
    ),
);

const rebuildTotals = query<{ coupon_id: number }>((db, p) =>
  db
    .updateTable('coupons')
    .set(
      Object.fromEntries(
        names.map((name) => [
          name,
          sql`(select coalesce(sum(${sql.ref(`coupon_days.${name}`)}), 0) from coupon_days
            where coupon_days.coupon_id = coupons.id)`,
        ]),
      ) as never,
    )
    .where('id', '=', p.coupon_id),
);

export async function sumCouponDays(
  db: Reader,
  couponId: number,
  range: InRange,
): Promise<CouponFigures> {
  return (await db.first(ofCoupon, { coupon_id: couponId, ...range }))!;
}

export function sumUserDays(
  db: Reader,
  userId: number,
  range: InRange,
): Promise<(CouponFigures & { id: number })[]> {
  return db.all(ofUser, { user_id: userId, ...range });
}

export async function isCodeAmbiguous(
  db: Reader,
  coupon: { id: number; code_folded: string },
): Promise<boolean> {
  const twin = await db.first(twins, { code_folded: coupon.code_folded, id: coupon.id });
  return twin !== undefined;
}

/** Whether this call may rebuild: one a coupon and interval. */
export async function claimRefresh(
  tx: Transaction,
  couponId: number,
  nowMs: number,
  intervalMs: number,
): Promise<boolean> {
  return (
    (await tx.run(takeRefresh, { id: couponId, now: nowMs, before: nowMs - intervalMs })) === 1
  );
}

export async function findNextDay(
  db: Reader,
  couponId: number,
  after: string,
): Promise<string | null> {
  return (await db.first(nextDay, { coupon_id: couponId, after }))!.day;
}

/** One day of one coupon, from its referrals alone. */
export async function rebuildCouponDay(
  tx: Transaction,
  couponId: number,
  day: string,
): Promise<void> {
  await tx.run(dropDay, { coupon_id: couponId, day });
  await tx.run(rebuildDay, { coupon_id: couponId, day });
}

export async function rebuildCouponTotals(tx: Transaction, couponId: number): Promise<void> {
  await tx.run(rebuildTotals, { coupon_id: couponId });
}
