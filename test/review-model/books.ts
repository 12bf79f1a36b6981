import type { Selectable } from 'kysely';
import type { PayoutsTable } from '../../src/addons/payouts/tables.ts';
import type { ReviewCasesTable, ReviewReferralsTable } from '../../src/addons/review/tables.ts';
import { query } from '../../src/db/statements/query.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import type { LedgerTable } from '../../src/modules/ledger/tables.ts';

const ledger = query<object, Selectable<LedgerTable>>((db) =>
  db.selectFrom('ledger').selectAll().orderBy('id'),
);
const payouts = query<object, Selectable<PayoutsTable>>((db) =>
  db.selectFrom('payouts').selectAll().orderBy('id'),
);
const cases = query<object, Selectable<ReviewCasesTable>>((db) =>
  db.selectFrom('review_cases').selectAll().orderBy('id'),
);
const restrained = query<object, Selectable<ReviewReferralsTable>>((db) =>
  db.selectFrom('review_referrals').selectAll().orderBy('order_id'),
);
const coupons = query<object, { id: number }>((db) =>
  db.selectFrom('coupons').selectAll().orderBy('id'),
);
const days = query<object, object>((db) =>
  db.selectFrom('coupon_days').selectAll().orderBy('coupon_id').orderBy('day'),
);

export type Payout = Selectable<PayoutsTable>;

/** The stored rows, read directly from the database. */
export async function readBooks({ database: { read } }: Site) {
  const [entries, allPayouts, allCases, allRestrained] = await Promise.all([
    read.all(ledger, {}),
    read.all(payouts, {}),
    read.all(cases, {}),
    read.all(restrained, {}),
  ]);
  return {
    entries,
    payouts: allPayouts,
    cases: allCases,
    restrained: allRestrained,
    shares: sharesOf(entries),
  };
}

export type Books = Awaited<ReturnType<typeof readBooks>>;

/** What each order has in each payout and in the unpaid balance, in cents. */
interface Shares {
  /** By `payout order`: what the payout took of the order when it last took the balance. */
  readonly inPayouts: ReadonlyMap<string, number>;
  /** By order: what is in the unpaid balance. */
  readonly left: ReadonlyMap<number, number>;
}

/** Plays the ledger: a payout takes everything that is unpaid of its coupon, and returns it when it is cancelled. */
function sharesOf(entries: readonly Selectable<LedgerTable>[]): Shares {
  const inPayouts = new Map<string, number>();
  const left = new Map<number, number>();
  const couponOf = new Map<number, number>();
  for (const { from_pool, to_pool, amount, order_id, payout_id, coupon_id } of entries) {
    if (from_pool !== 'unpaid' && to_pool !== 'unpaid') continue;
    if (order_id !== null) {
      couponOf.set(order_id, coupon_id);
      const signed = to_pool === 'unpaid' ? amount : -amount;
      left.set(order_id, (left.get(order_id) ?? 0) + signed);
    } else if (payout_id !== null) {
      for (const [order, coupon] of couponOf) {
        if (coupon !== coupon_id) continue;
        const key = `${payout_id} ${order}`;
        const taken = from_pool === 'unpaid' ? (left.get(order) ?? 0) : 0;
        const returned = from_pool === 'unpaid' ? 0 : (inPayouts.get(key) ?? 0);
        inPayouts.set(key, taken);
        left.set(order, (left.get(order) ?? 0) - taken + returned);
      }
    }
  }
  return { inPayouts, left };
}

/** What an order has in all payouts and in the unpaid balance together. */
export function earnedOf({ shares: { inPayouts, left } }: Books, order: number): number {
  let sum = left.get(order) ?? 0;
  for (const [key, part] of inPayouts) if (key.endsWith(` ${order}`)) sum += part;
  return sum;
}

/** What a payout took of an order. */
export function partOf({ shares }: Books, payout: number, order: number): number {
  return shares.inPayouts.get(`${payout} ${order}`) ?? 0;
}

/**
 * Whether some of what an order earns, apart from its cases, is in a payout. What was paid before comes first: a
 * payout may have taken commission that a refund took back, which is carried forward and not in review.
 */
export function isInPayout(books: Books, payout: number, order: number): boolean {
  if (partOf(books, payout, order) <= 0) return false;
  const row = books.restrained.find(({ order_id }) => order_id === order);
  const isKept = row !== undefined && row.restraint !== 'sent';
  const free = isKept ? (row.state === 'granted' ? row.commission : 0) : earnedOf(books, order);
  const before = books.payouts.filter((one) => one.id !== payout);
  const paid = before.map((one) => {
    const part = partOf(books, one.id, order);
    // A payout that has made up for a refund is so much smaller, whether it was paid or not.
    return one.status === 'paid' || part < 0 ? part : 0;
  });
  return (
    free >
    Math.max(
      0,
      paid.reduce((sum, part) => sum + part, 0),
    )
  );
}

/** Everything about the money and the statistics of the coupons that does not depend on what was paid out of it. */
export async function readFigures({ database: { read } }: Site) {
  const rows = await read.all(coupons, {});
  const figures = rows.map((row) => {
    const {
      id,
      unpaid,
      pending_payout,
      paid,
      roster_due: _due,
      ...rest
    } = row as Record<string, any>;
    const {
      created_at: _created,
      refreshed_at: _refreshed,
      figures_version: _version,
      ...others
    } = rest;
    return { id, earned: unpaid + pending_payout + paid, ...others };
  });
  return { coupons: figures, days: await read.all(days, {}) };
}
