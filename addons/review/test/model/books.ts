import { query } from '../../../../src/db/statements/query.ts';
import type { RowOf } from '../../../../src/db/tables.ts';
import type { Site } from '../../../../src/kernel/declare/site.ts';

const ledger = query<object, RowOf<'ledger'>>((db) =>
  db.selectFrom('ledger').selectAll().orderBy('id'),
);
const payouts = query<object, RowOf<'payouts'>>((db) =>
  db.selectFrom('payouts').selectAll().orderBy('id'),
);
const cases = query<object, RowOf<'review_cases'>>((db) =>
  db.selectFrom('review_cases').selectAll().orderBy('id'),
);
const restrained = query<object, RowOf<'review_referrals'>>((db) =>
  db.selectFrom('review_referrals').selectAll().orderBy('order_id'),
);
const coupons = query<object, { id: number }>((db) =>
  db.selectFrom('coupons').selectAll().orderBy('id'),
);
const days = query<object, object>((db) =>
  db.selectFrom('coupon_days').selectAll().orderBy('coupon_id').orderBy('day'),
);

export type Payout = RowOf<'payouts'>;

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

/** What a payout took of an order when it last took the balance, and how much of it no refund has taken back. */
interface Part {
  readonly taken: number;
  /** What the order had earned then, and the least since then. */
  readonly earned: number;
  readonly least: number;
}

/** What each order has in each payout and in the unpaid balance, in cents. */
interface Shares {
  /** By `payout order`. */
  readonly inPayouts: ReadonlyMap<string, Part>;
  /** By order: what is in the unpaid balance. */
  readonly left: ReadonlyMap<number, number>;
}

/**
 * Plays the ledger: a payout takes its amount of what is unpaid of its coupon, and returns it when it is cancelled. First
 * it makes up for what was taken back, then it takes what came first.
 */
function sharesOf(entries: readonly RowOf<'ledger'>[]): Shares {
  const inPayouts = new Map<string, Part>();
  const left = new Map<number, number>();
  const couponOf = new Map<number, number>();
  /** What changes of the orders have earned; cases leave it as it is. */
  const earned = new Map<number, number>();
  /** What the change that is being played has added. */
  let change = { order: 0, atMs: 0, added: 0 };
  for (const entry of entries) {
    const { from_pool, to_pool, amount, order_id, payout_id, coupon_id, case_id } = entry;
    const into = (pool: string) => (to_pool === pool ? amount : from_pool === pool ? -amount : 0);
    if (order_id !== null) {
      if (into('unpaid') !== 0) couponOf.set(order_id, coupon_id);
      left.set(order_id, (left.get(order_id) ?? 0) + into('unpaid'));
      if (case_id) continue;
      const now = (earned.get(order_id) ?? 0) - into('earned');
      earned.set(order_id, now);
      if (change.order !== order_id || change.atMs !== entry.created_at) {
        change = { order: order_id, atMs: entry.created_at, added: 0 };
      }
      // A change may take back what was granted and add what waits: what is added was never in a payout.
      change.added += Math.max(0, -into('earned'));
      const least = now - change.added;
      for (const [key, part] of partsOf(inPayouts, order_id)) {
        inPayouts.set(key, { ...part, least: Math.min(part.least, least) });
      }
    } else if (payout_id !== null && into('unpaid') !== 0) {
      const own = [...couponOf].filter(([, coupon]) => coupon === coupon_id);
      const unpaidOf = (order: number) => left.get(order) ?? 0;
      const owed = own.reduce((sum, [order]) => sum + Math.max(0, -unpaidOf(order)), 0);
      let rest = amount + owed;
      for (const [order] of own) {
        const key = `${payout_id} ${order}`;
        const unpaid = unpaidOf(order);
        const now = earned.get(order) ?? 0;
        if (from_pool === 'unpaid') {
          const taken = Math.min(unpaid, rest);
          rest -= Math.max(0, taken);
          inPayouts.set(key, { taken, earned: now, least: now });
          left.set(order, unpaid - taken);
        } else {
          left.set(order, unpaid + (inPayouts.get(key)?.taken ?? 0));
          inPayouts.delete(key);
        }
      }
    }
  }
  return { inPayouts, left };
}

function partsOf(inPayouts: Shares['inPayouts'], order: number): [string, Part][] {
  return [...inPayouts].filter(([key]) => key.endsWith(` ${order}`));
}

/** What an order has in all payouts and in the unpaid balance together. */
export function earnedOf({ shares: { inPayouts, left } }: Books, order: number): number {
  return partsOf(inPayouts, order).reduce(
    (sum, [, { taken }]) => sum + taken,
    left.get(order) ?? 0,
  );
}

/** What a payout took of an order. */
export function takenOf({ shares }: Books, payout: number, order: number): number {
  return shares.inPayouts.get(`${payout} ${order}`)?.taken ?? 0;
}

/**
 * Whether some of what an order earns, apart from its cases, is in a payout. What a refund has taken back since is
 * carried forward and not in review, even if the order earns again; and what was paid before comes first.
 */
export function isInPayout(books: Books, payout: number, order: number): boolean {
  const part = books.shares.inPayouts.get(`${payout} ${order}`);
  if (!part) return false;
  const inThis = part.taken + part.least - part.earned;
  const row = books.restrained.find(({ order_id }) => order_id === order);
  const isKept = row !== undefined && row.restraint !== 'sent';
  const free = isKept ? (row.state === 'granted' ? row.commission : 0) : earnedOf(books, order);
  let inOthers = 0;
  for (const { id, status } of books.payouts) {
    const taken = id === payout ? 0 : takenOf(books, id, order);
    // A payout that has made up for a refund is so much smaller, whether it was paid or not.
    if (status === 'paid' || taken < 0) inOthers += taken;
  }
  // A payout returns what earlier ones made up for without need.
  return inThis > Math.max(0, -inOthers) && free > Math.max(0, inOthers);
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
