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

const noStatus = Object.fromEntries(statusNames.map((name) => [name, 0])) as Record<
  StatusCount,
  number
>;

/** What a referral adds to the figures of its coupon. */
export function figuresOf(referral: ReferralRow): CouponFigures {
  const { counted } = referral;
  return {
    orders_count: counted,
    total_sales: counted * referral.sales,
    total_discount: counted * referral.discount,
    total_shipping: counted * referral.shipping,
    total_commission: counted * referral.commission,
    ...noStatus,
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

/**
 * Changes of figures that are collected and written together: a batch of orders moves the same few
 * sums over and over.
 */
export class FigureChanges {
  readonly #coupons = new Map<number, CouponFigures>();
  readonly #couponDays = new Map<
    string,
    { coupon_id: number; day: string; change: CouponFigures }
  >();
  readonly #storeDays = new Map<string, Figures>();

  /** Moves the figures of a coupon from what a referral was to what it is. */
  moveCoupon(before: ReferralRow | undefined, after: ReferralRow): void {
    const now = figuresOf(after);
    const then = before && negative(figuresOf(before));
    this.#addToCoupon(after.coupon_id, after.day, now);
    if (then) this.#addToCoupon(before.coupon_id, before.day, then);
  }

  /** The same for the store as a whole. */
  moveStore(
    before: { day: string; figures: Figures } | undefined,
    after: { day: string; figures: Figures },
  ): void {
    this.#addToStore(after.day, after.figures);
    if (before) this.#addToStore(before.day, negative(before.figures));
  }

  async write(tx: Transaction, site: Site): Promise<void> {
    for (const { coupon_id, day, change } of this.#couponDays.values()) {
      if (!isZero(change)) await tx.run(addToCouponDay, { coupon_id, day, ...change });
    }
    for (const [coupon_id, change] of this.#coupons) {
      tx.afterCommit(() => rangeCacheOf(site).forget(coupon_id));
      if (!isZero(change)) await tx.run(addToCoupon, { coupon_id, ...change });
    }
    for (const [day, change] of this.#storeDays) {
      if (!isZero(change)) await tx.run(addToStoreDay, { day, ...change });
    }
  }

  #addToCoupon(couponId: number, day: string, change: CouponFigures): void {
    const ofCoupon = this.#coupons.get(couponId);
    if (ofCoupon) add(ofCoupon, change);
    else this.#coupons.set(couponId, { ...change });
    const key = `${couponId} ${day}`;
    const ofDay = this.#couponDays.get(key);
    if (ofDay) add(ofDay.change, change);
    else this.#couponDays.set(key, { coupon_id: couponId, day, change: { ...change } });
  }

  #addToStore(day: string, change: Figures): void {
    const ofDay = this.#storeDays.get(day);
    if (ofDay) add(ofDay, change);
    else this.#storeDays.set(day, { ...change });
  }
}

function add<T extends Record<string, number>>(to: T, change: T): void {
  for (const name in change) (to as Record<string, number>)[name]! += change[name]!;
}

function negative<T extends Record<string, number>>(a: T): T {
  return Object.fromEntries(Object.keys(a).map((name) => [name, -a[name]!])) as T;
}

function isZero(a: Record<string, number>): boolean {
  for (const name in a) if (a[name] !== 0) return false;
  return true;
}
