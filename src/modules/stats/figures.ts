import type { Transaction } from '../../db/database.ts';
import {
  columnGroups,
  dayColumns,
  figureColumns as allFigures,
} from '../../db/statements/columns.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
import { toOwnerId, type Figures } from '../coupons/index.ts';
import { lockAtFlush, type LockedOwners } from '../ledger/index.ts';
import {
  counterColumns,
  countersOf,
  orderStatuses,
  type CounterColumn,
  type OrderStatus,
  type PrepareReferralHook,
  type ReferralRow,
} from '../orders/index.ts';

const figureNames = allFigures;
const statusNames = columnGroups.statuses;

export type StatusCount = (typeof columnGroups.statuses)[number];
export type CouponFigures = Figures & Record<StatusCount, number>;

const all = [...figureNames, ...statusNames] as const;

const statusColumns = Object.fromEntries(
  orderStatuses.map((status) => [status, `n_${status.replace('-', '_')}`]),
) as Record<OrderStatus, StatusCount>;

function statusColumn(status: OrderStatus): StatusCount {
  return statusColumns[status];
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

/** What a referral adds to the days of its coupon besides the figures: for steps and bonuses of rewards. */
export type Counters = Record<CounterColumn, number>;

const noCounters = Object.fromEntries(counterColumns.map((name) => [name, 0])) as Counters;

/** What a referral adds to the figures of its coupon: nothing after the coupon was removed from the order. */
function figuresOf(referral: ReferralRow): CouponFigures {
  const { counted } = referral;
  const figures = {
    orders_count: counted,
    total_sales: counted * referral.sales,
    total_discount: counted * referral.discount,
    total_shipping: counted * referral.shipping,
    total_commission: counted * referral.commission,
    upline_commission: 0,
    ...noStatus,
  };
  if (!referral.dropped) figures[statusColumn(referral.status)] = 1;
  return figures;
}

/**
 * What an order adds to the figures of the store: once, while any of its referrals counts. All that count have
 * its day, sales, discount and shipping; their commissions add up.
 */
function storeFiguresOf(
  referrals: readonly ReferralRow[],
): { day: string; figures: Figures } | undefined {
  const one = referrals.find((referral) => referral.counted === 1);
  if (!one) return undefined;
  const figures = {
    orders_count: 1,
    total_sales: one.sales,
    total_discount: one.discount,
    total_shipping: one.shipping,
    total_commission: referrals.reduce((sum, r) => sum + r.counted * r.commission, 0),
    upline_commission: 0,
  };
  return { day: one.day, figures };
}

const noFigures = Object.fromEntries(figureNames.map((name) => [name, 0])) as Figures;

/** What a share adds to the figures, on the day of its order: zero while the order does not count. */
export interface CountedShare {
  readonly day: string;
  readonly amount: number;
}

type CouponChange = { id: number; figures_version: number; roster_due: 1 } & CouponFigures;

const addToCoupons = updateRows<CouponChange>('coupons', {
  key: ['id'],
  set: ['roster_due'],
  add: ['figures_version', ...all],
});

type CouponDayChange = { coupon_id: number; day: string } & CouponFigures & Counters;

const addToCouponDays = insertRows<CouponDayChange>('coupon_days', {
  on: ['coupon_id', 'day'],
  add: dayColumns,
});

/** The same of affiliates who had the coupon before. */
const addToFormerDays = insertRows<CouponDayChange & { user_id: number }>('former_days', {
  on: ['coupon_id', 'user_id', 'day'],
  add: dayColumns,
});

const addToStoreDays = insertRows<{ day: string } & Figures>('store_days', {
  on: ['day'],
  add: figureNames,
});

/** The affiliate whose figures they are, on a coupon that it has or had. */
interface FigureAccount {
  readonly coupon_id: number;
  readonly user_id: number;
}

type DayChange = { userId: number; change: CouponDayChange };

const byAccount = (a: DayChange, b: DayChange) =>
  a.change.coupon_id - b.change.coupon_id ||
  (a.change.day === b.change.day ? a.userId - b.userId : a.change.day < b.change.day ? -1 : 1);

/** The changes of the days of coupons, from those of their affiliates, in their order. */
function merged(days: readonly DayChange[]): CouponDayChange[] {
  const sums = new Map<string, CouponDayChange>();
  for (const { change } of days) {
    const key = `${change.coupon_id} ${change.day}`;
    const sum = sums.get(key);
    if (!sum) sums.set(key, { ...change });
    else for (const name of dayColumns) sum[name] += change[name];
  }
  return [...sums.values()];
}

/** The referrals of an order that the transaction has settled: as they were before it, and as they are now. */
interface OrderReferrals {
  readonly before: ReferralRow[];
  readonly after: ReferralRow[];
}

/** Changes of figures, summed per transaction: a batch of orders moves the same few sums over and over. */
class PendingFigures implements PendingWrites {
  readonly #coupons = new Map<number, CouponChange>();
  /** By coupon, affiliate and day. */
  readonly #days = new Map<string, DayChange>();
  readonly #storeDays = new Map<string, Figures>();
  readonly #orders = new Map<number, OrderReferrals>();
  #locked: LockedOwners | undefined;

  lock(tx: Transaction, couponId: number): void {
    this.#locked = lockAtFlush(tx, couponId);
  }

  moveReferral(before: ReferralRow | undefined, after: ReferralRow): void {
    this.#addToCoupon(after, figuresOf(after), countersOf(after));
    if (before) {
      this.#addToCoupon(before, negative(figuresOf(before)), negative(countersOf(before)));
    }
    const order = this.#orders.get(after.order_id);
    if (!order) {
      this.#orders.set(after.order_id, { before: before ? [before] : [], after: [after] });
      return;
    }
    const i = order.after.findIndex(({ coupon_id }) => coupon_id === after.coupon_id);
    if (i === -1) {
      order.after.push(after);
      if (before) order.before.push(before);
    } else order.after[i] = after;
  }

  moveShare(account: FigureAccount, before: CountedShare, after: CountedShare): void {
    this.#addShare({ ...account, day: after.day }, after.amount);
    this.#addShare({ ...account, day: before.day }, -before.amount);
  }

  /** The ledger has locked the coupons before. The days follow in one order, so that no two transactions deadlock. */
  async flush(tx: Transaction): Promise<void> {
    const owners = await this.#locked!.owners();
    for (const order of this.#orders.values()) this.#moveStore(order);
    const days = [...this.#days.values()]
      .filter(({ change }) => dayColumns.some((name) => change[name] !== 0))
      .sort(byAccount);
    const former = days.filter(
      ({ userId, change }) => userId !== toOwnerId(owners.get(change.coupon_id) ?? null),
    );
    // Also where no sum has changed: lists of the coupon's orders are cached by this version.
    const coupons = [...this.#coupons.values()].sort((a, b) => a.id - b.id);
    const storeDays = [...this.#storeDays]
      .filter(([, change]) => !isZero(change))
      .map(([day, change]) => ({ day, ...change }))
      .sort((a, b) => (a.day < b.day ? -1 : 1));
    await Promise.all([
      tx.runMany(addToCoupons, coupons),
      tx.runMany(
        addToCouponDays,
        former.length === 0 ? days.map(({ change }) => change) : merged(days),
      ),
      tx.runMany(
        addToFormerDays,
        former.map(({ userId, change }) => ({ ...change, user_id: userId })),
      ),
      tx.runMany(addToStoreDays, storeDays),
    ]);
  }

  /**
   * An order counts once for the store, however many coupons it was credited to. All its referrals that count
   * are settled in one transaction, so the ones seen here are all there are.
   */
  #moveStore({ before, after }: OrderReferrals): void {
    const now = storeFiguresOf(after);
    if (now) this.#addToStore(now.day, now.figures);
    const then = storeFiguresOf(before);
    if (then) this.#addToStore(then.day, negative(then.figures));
  }

  #addToCoupon(
    { coupon_id, user_id, day }: FigureAccount & { day: string },
    change: CouponFigures,
    counters: Counters = noCounters,
  ): void {
    const ofCoupon = this.#coupons.get(coupon_id);
    if (ofCoupon) add<CouponFigures>(ofCoupon, change);
    else {
      this.#coupons.set(coupon_id, { id: coupon_id, figures_version: 1, roster_due: 1, ...change });
    }
    const key = `${coupon_id} ${user_id} ${day}`;
    const ofDay = this.#days.get(key);
    if (!ofDay) {
      this.#days.set(key, { userId: user_id, change: { coupon_id, day, ...change, ...counters } });
      return;
    }
    add<CouponFigures>(ofDay.change, change);
    if (counters !== noCounters) add<Counters>(ofDay.change, counters);
  }

  #addShare(place: FigureAccount & { day: string }, amount: number): void {
    this.#addToCoupon(place, { ...noFigures, ...noStatus, upline_commission: amount });
    this.#addToStore(place.day, { ...noFigures, upline_commission: amount });
  }

  #addToStore(day: string, change: Figures): void {
    const ofDay = this.#storeDays.get(day);
    if (ofDay) add(ofDay, change);
    else this.#storeDays.set(day, { ...change });
  }
}

const figures = defineWrites({ name: 'figures', create: () => new PendingFigures() });

/** Moves the figures of coupons and of the store with every referral that is settled. */
export const moveFigures: PrepareReferralHook =
  async (tx) =>
  ({ before, after }) => {
    const pending = tx.pending(figures);
    pending.moveReferral(before, after);
    pending.lock(tx, after.coupon_id);
  };

/** Moves a share of another affiliate's referral, in the figures of the coupon it is on and of the store. */
export function moveShareFigures(
  tx: Transaction,
  account: FigureAccount,
  before: CountedShare,
  after: CountedShare,
): void {
  const pending = tx.pending(figures);
  pending.moveShare(account, before, after);
  pending.lock(tx, account.coupon_id);
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
