import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readByNumbers } from '../../../db/statements/calls.ts';
import { columnGroups } from '../../../db/statements/columns.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { Tables } from '../../../db/tables.ts';
import type { ReferralRow } from '../../orders/index.ts';
import { orderStates, stateConditions, type OrderState } from './order-state.ts';

/** The position of a referral in a list, newest first. */
interface Place {
  order_id: number;
  coupon_id: number;
  day: string;
  placed_at: number;
}

export type AffiliateOrderRow = Pick<
  ReferralRow,
  | 'order_id'
  | 'coupon_id'
  | 'user_id'
  | 'day'
  | 'placed_at'
  | 'status'
  | 'commission'
  | 'state'
  | 'dropped'
  | 'release_at'
  | 'sales'
  | 'rates'
> & { content: string };

interface Days {
  first: string;
  last: string;
}

export interface ReferredOrdersFilter extends Days {
  userId: number;
  /** The coupons that the affiliate has or had. */
  couponIds: readonly number[];
  /** Whether one of the coupons was another affiliate's before or since: stored counts are of both then. */
  isShared: boolean;
  state: OrderState | undefined;
}

interface OfAffiliate extends Days {
  user_id: number;
}

interface CouponSlice extends OfAffiliate {
  coupon_id: number;
  limit: number;
  offset: number;
}

function inState(db: Kysely<Tables>, state: OrderState | 'any', days: OfAffiliate) {
  return db
    .selectFrom('referrals')
    .where('dropped', '=', sql.lit(0))
    .where('user_id', '=', days.user_id)
    .where('day', '>=', days.first)
    .where('day', '<=', days.last)
    .$if(state !== 'any', (q) => q.where(stateConditions[state as OrderState]));
}

/** One statement per state: a state is a condition, not a value that could be bound. */
function perState<P, R>(build: (state: OrderState | 'any') => Query<P, R>) {
  const all = ['any', ...orderStates] as const;
  // The type of fromEntries loses the names; every state is present.
  return Object.fromEntries(all.map((state) => [state, build(state)])) as Record<
    OrderState | 'any',
    Query<P, R>
  >;
}

/** Reads the index only. */
const slices = perState((state) =>
  query<CouponSlice, Place>((db, p) =>
    inState(db, state, p)
      .select(['order_id', 'coupon_id', 'day', 'placed_at'])
      .where('coupon_id', '=', p.coupon_id)
      .orderBy('day', 'desc')
      .orderBy('placed_at', 'desc')
      .orderBy('order_id', 'desc')
      .limit(p.limit)
      .offset(p.offset),
  ),
);

const counts = perState((state) =>
  query<OfAffiliate & { coupon_ids: string }, { total: number }>((db, p, _given, dialect) =>
    inState(db, state, p)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where(dialect.inJsonArray('coupon_id', p.coupon_ids, 'number')),
  ),
);

const ordersOfDay = sql.join(
  columnGroups.statuses.map((name) => sql.ref(name)),
  sql` + `,
);

/** By coupon: along the index of days, SQLite would read those of every affiliate. */
const days = query<Days & { coupon_ids: string }, { day: string; orders: number }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('coupon_days')
      .select(['day', sql<number>`sum(${ordersOfDay})`.as('orders')])
      .where(dialect.inJsonArray('coupon_id', p.coupon_ids, 'number'))
      .where(dialect.unindexed('day'), '>=', p.first)
      .where(dialect.unindexed('day'), '<=', p.last)
      .groupBy('day')
      .orderBy(dialect.unindexed('day'), 'desc'),
);

/** All referrals of some orders, also those of other affiliates. */
export const findReferralsOf = readByNumbers<AffiliateOrderRow>((db, isKey) =>
  db
    .selectFrom('referrals')
    .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
    .select([
      'referrals.order_id',
      'referrals.coupon_id',
      'referrals.user_id',
      'referrals.day',
      'referrals.placed_at',
      'referrals.status',
      'referrals.commission',
      'referrals.state',
      'referrals.dropped',
      'referrals.release_at',
      'referrals.sales',
      'referrals.rates',
      'orders.content',
    ])
    .where(isKey('referrals.order_id')),
);

const daysOf = ({ userId, couponIds, first, last }: ReferredOrdersFilter) => ({
  user_id: userId,
  coupon_ids: jsonList([...couponIds]),
  first,
  last,
});

/** By state from the index, without a state from the stored daily counts. */
export async function countReferredOrders(
  db: Reader,
  filter: ReferredOrdersFilter,
): Promise<number> {
  if (filter.state === undefined && !filter.isShared) {
    const found = await db.all(days, daysOf(filter));
    return found.reduce((sum, { orders }) => sum + orders, 0);
  }
  return (await db.first(counts[filter.state ?? 'any'], daysOf(filter)))!.total;
}

/** Up to this offset, skipping entries of the index costs less than finding the day. */
const SKIPPED_MAX = 500;

/** Skips whole days by their stored counts, which exist without a state only. */
async function skipDays(db: Reader, filter: ReferredOrdersFilter, offset: number) {
  if (offset <= SKIPPED_MAX || filter.state !== undefined || filter.isShared)
    return { ...filter, offset };
  let before = 0;
  for (const { day, orders } of await db.all(days, daysOf(filter))) {
    if (before + orders > offset) return { ...filter, last: day, offset: offset - before };
    before += orders;
  }
  return { ...filter, offset };
}

/**
 * A page of the orders of several coupons, newest first. Each coupon gives its own first rows from the index, which
 * are merged here: neither database merges index scans, it would sort all orders of the coupons.
 */
export async function listReferredOrders(
  db: Reader,
  filter: ReferredOrdersFilter,
  page: { limit: number; offset: number },
): Promise<AffiliateOrderRow[]> {
  const { userId, couponIds, state, first, last, offset } = await skipDays(db, filter, page.offset);
  const isOne = couponIds.length === 1;
  const slice = isOne ? { limit: page.limit, offset } : { limit: offset + page.limit, offset: 0 };
  const found = await Promise.all(
    couponIds.map((coupon_id) =>
      db.all(slices[state ?? 'any'], { user_id: userId, coupon_id, first, last, ...slice }),
    ),
  );
  const places = found.flat().sort(newestFirst);
  return findRows(db, isOne ? places : places.slice(offset, offset + page.limit));
}

function newestFirst(a: Place, b: Place): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return b.placed_at - a.placed_at || b.order_id - a.order_id || b.coupon_id - a.coupon_id;
}

async function findRows(db: Reader, places: readonly Place[]): Promise<AffiliateOrderRow[]> {
  const rows = await findReferralsOf(db, [...new Set(places.map(({ order_id }) => order_id))]);
  const byPlace = new Map(rows.map((row) => [`${row.order_id} ${row.coupon_id}`, row]));
  return places
    .map(({ order_id, coupon_id }) => byPlace.get(`${order_id} ${coupon_id}`))
    .filter((row) => row !== undefined);
}
