import { sql } from 'kysely';
import { columnGroups } from '../../db/columns.ts';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { Site } from '../../kernel/site.ts';
import type { ReferralRow } from './order-store.ts';
import { rangeCacheOf } from './range-cache.ts';
import { orderStatuses, type OrderStatus } from './settings.ts';

const figureNames = columnGroups.figures as readonly Figure[];
const statusNames = columnGroups.statuses as readonly StatusCount[];

type Figure =
  | 'orders_count'
  | 'total_sales'
  | 'total_discount'
  | 'total_shipping'
  | 'total_commission';
export type StatusCount =
  `n_${'pending' | 'processing' | 'on_hold' | 'completed' | 'cancelled' | 'refunded' | 'failed'}`;
export type Figures = Record<Figure, number>;
export type CouponFigures = Figures & Record<StatusCount, number>;

const all = [...figureNames, ...statusNames] as const;

export function statusColumn(status: OrderStatus): StatusCount {
  return `n_${status.replace('-', '_')}` as StatusCount;
}

/** `{ pending: 0, …, failed: 1 }` from the columns. */
export function toStatusCounts(row: Record<StatusCount, number>): Record<OrderStatus, number> {
  return Object.fromEntries(
    orderStatuses.map((status) => [status, row[statusColumn(status)]]),
  ) as Record<OrderStatus, number>;
}

/** What a referral adds to the figures of its coupon. */
export function figuresOf(referral: ReferralRow): CouponFigures {
  const { counted } = referral;
  return {
    orders_count: counted,
    total_sales: counted * referral.sales,
    total_discount: counted * referral.discount,
    total_shipping: counted * referral.shipping,
    total_commission: counted * referral.commission,
    ...(Object.fromEntries(statusNames.map((name) => [name, 0])) as Record<StatusCount, number>),
    [statusColumn(referral.status as OrderStatus)]: 1,
  };
}

/**
 * What an order adds to the figures of the store: once, however many coupons share it. Nothing when
 * nobody referred it.
 */
export function storeFiguresOf(referrals: readonly ReferralRow[]): Figures {
  const [first] = referrals;
  const counted = first?.counted ?? 0;
  return {
    orders_count: counted,
    total_sales: counted * (first?.sales ?? 0),
    total_discount: counted * (first?.discount ?? 0),
    total_shipping: counted * (first?.shipping ?? 0),
    total_commission: referrals.reduce((sum, r) => sum + r.counted * r.commission, 0),
  };
}

/** `a = a + ?` for each of the columns, in the form that set and upsert take. */
function added(table: string, p: Record<string, unknown>, names: readonly string[]): never {
  const sums = names.map((name) => [name, sql`${sql.ref(`${table}.${name}`)} + ${p[name]}`]);
  return Object.fromEntries(sums) as never;
}

const addToCoupon = query<{ coupon_id: number } & CouponFigures>((db, p) =>
  db
    .updateTable('coupons')
    .set(added('coupons', p, all))
    .where('id', '=', p.coupon_id),
);

const addToCouponDay = query<{ coupon_id: number; day: string } & CouponFigures>((db, p) =>
  db
    .insertInto('coupon_days')
    .values({ coupon_id: p.coupon_id, day: p.day, ...pick(p, all) } as never)
    .onConflict((conflict) =>
      conflict.columns(['coupon_id', 'day']).doUpdateSet(added('coupon_days', p, all)),
    ),
);

const addToStoreDay = query<{ day: string } & Figures>((db, p) =>
  db
    .insertInto('store_days')
    .values({ day: p.day, ...pick(p, figureNames) } as never)
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet(added('store_days', p, figureNames)),
    ),
);

function pick<T extends object>(from: T, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name as keyof T]]));
}

/** Moves the figures of a coupon from what a referral was to what it is. */
export async function moveCouponFigures(
  tx: Transaction,
  site: Site,
  before: ReferralRow | undefined,
  after: ReferralRow,
): Promise<void> {
  tx.afterCommit(() => rangeCacheOf(site).forget(after.coupon_id));
  const now = figuresOf(after);
  const change = before ? minus(now, figuresOf(before)) : now;
  if (before && before.day !== after.day) {
    await addToDay(tx, before, negative(figuresOf(before)));
    await addToDay(tx, after, now);
  } else {
    await addToDay(tx, after, change);
  }
  if (isZero(change)) return;
  await tx.run(addToCoupon, { coupon_id: after.coupon_id, ...change });
}

async function addToDay(tx: Transaction, at: ReferralRow, change: CouponFigures): Promise<void> {
  if (isZero(change)) return;
  await tx.run(addToCouponDay, { coupon_id: at.coupon_id, day: at.day, ...change });
}

/** The same for the store as a whole. */
export async function moveStoreFigures(
  tx: Transaction,
  before: { day: string; figures: Figures } | undefined,
  after: { day: string; figures: Figures },
): Promise<void> {
  if (before && before.day === after.day) {
    const change = minus(after.figures, before.figures);
    if (!isZero(change)) await tx.run(addToStoreDay, { day: after.day, ...change });
    return;
  }
  if (before && !isZero(before.figures)) {
    await tx.run(addToStoreDay, { day: before.day, ...negative(before.figures) });
  }
  if (!isZero(after.figures)) await tx.run(addToStoreDay, { day: after.day, ...after.figures });
}

function minus<T extends Record<string, number>>(a: T, b: T): T {
  return Object.fromEntries(Object.keys(a).map((name) => [name, a[name]! - b[name]!])) as T;
}

function negative<T extends Record<string, number>>(a: T): T {
  return Object.fromEntries(Object.keys(a).map((name) => [name, -a[name]!])) as T;
}

function isZero(a: Record<string, number>): boolean {
  return Object.values(a).every((value) => value === 0);
}
