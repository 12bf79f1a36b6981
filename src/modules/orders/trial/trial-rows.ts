import { isMainThread } from 'node:worker_threads';
import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll, readByNumbers, readFirst } from '../../../db/statements/calls.ts';
import { byText } from '../../../db/statements/keyed-query.ts';
import { groupRateColumns, type GroupRateColumns } from '../../coupons/index.ts';
import type { RateColumns } from '../../groups/index.ts';
import type { OrderRow, ReferralRow } from '../order-rows.ts';
import { orderStatuses, type OrderStatus } from '../settings.ts';

/** When an order comes in a trial. */
export interface Place {
  placed_at: number;
  order_id: number;
}

/** On the event loop, other requests wait for a page: it takes a few milliseconds. A thread has time. */
const PLACES_AT_ONCE = isMainThread ? 100 : 500;

/** Reads nothing but the index by status and date. */
const placesAfter = readAll<Place & { status: OrderStatus; until: number; limit: number }, Place>(
  (db, p) =>
    db
      .selectFrom('orders')
      .select(['placed_at', 'order_id'])
      .where('status', '=', p.status)
      .where(sql<boolean>`(placed_at, order_id) > (${p.placed_at}, ${p.order_id})`)
      .where('placed_at', '<=', p.until)
      .orderBy('placed_at')
      .orderBy('order_id')
      .limit(p.limit),
);

/** The orders of one status that are read and not taken yet. */
interface Stream {
  readonly status: OrderStatus;
  readonly places: Place[];
  after: Place;
  isEnded: boolean;
}

/** The orders of a time span, in pages: by the time they were placed, then by number. */
export async function* placesBetween(
  db: Reader,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): AsyncGenerator<Place[]> {
  const streams = orderStatuses.map((status): Stream => ({
    status,
    places: [],
    after: { placed_at: fromMs - 1, order_id: Number.MAX_SAFE_INTEGER },
    isEnded: false,
  }));
  for (;;) {
    for (const stream of streams) if (stream.places.length === 0) await fill(db, stream, untilMs);
    // What one status has read reaches as far as the next order of it may stand.
    const ends = streams.flatMap(({ isEnded, places }) => (isEnded ? [] : [places.at(-1)!]));
    const end = ends.sort(byPlace)[0];
    const taken = streams.flatMap(({ places }) => {
      const after = end ? places.findIndex((one) => byPlace(one, end) > 0) : -1;
      return places.splice(0, after === -1 ? places.length : after);
    });
    if (taken.length > 0) yield taken.sort(byPlace);
    else if (!end) return;
  }
}

async function fill(db: Reader, stream: Stream, until: number): Promise<void> {
  if (stream.isEnded) return;
  const { status, after } = stream;
  const found = await placesAfter(db, { ...after, status, until, limit: PLACES_AT_ONCE });
  stream.places.push(...found);
  stream.after = found.at(-1) ?? after;
  stream.isEnded = found.length < PLACES_AT_ONCE;
}

function byPlace(a: Place, b: Place): number {
  return a.placed_at - b.placed_at || a.order_id - b.order_id;
}

type OrderColumns = Pick<OrderRow, 'order_id' | 'customer_hash' | 'store_id' | 'content'>;
type ReferralColumns = Pick<
  ReferralRow,
  | 'coupon_id'
  | 'user_id'
  | 'day'
  | 'status'
  | 'via'
  | 'credited_by'
  | 'facts'
  | 'commission'
  | 'state'
  | 'release_at'
  | 'counted'
  | 'sales'
>;

/** A referral with what its order needs to be computed again. */
export type TrialRow = OrderColumns & ReferralColumns;

/** The referrals of orders that earn, or count for the affiliate. */
export const referralsToTry = readByNumbers<TrialRow>((db, isKey) =>
  db
    .selectFrom('referrals')
    .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
    .select(['orders.order_id', 'orders.customer_hash', 'orders.store_id', 'orders.content'])
    .select([
      'referrals.coupon_id',
      'referrals.user_id',
      'referrals.day',
      'referrals.status',
      'referrals.via',
      'referrals.credited_by',
      'referrals.facts',
      'referrals.commission',
      'referrals.state',
      'referrals.release_at',
      'referrals.counted',
      'referrals.sales',
    ])
    .where(isKey('referrals.order_id'))
    .where('referrals.dropped', '=', sql.lit(0))
    .where(sql<boolean>`(referrals.counted = 1 or referrals.state <> 'void')`),
);

type CouponRow = { id: number; user_id: number | null } & RateColumns & GroupRateColumns;

/** The owners that coupons have now, with their rates and those of their owners' groups. */
export const ratesOfCoupons = readByNumbers<CouponRow>((db, isKey) =>
  db
    .selectFrom('coupons')
    .select(['id', 'user_id', 'percent', 'fixed_per_order', 'fixed_per_product'])
    .select(groupRateColumns)
    .where(isKey('id'))
    // The columns of groups have the types that they are declared with.
    .$castTo<CouponRow>(),
);

/** A referral of the first payment of a subscription. */
interface FirstReferral {
  key: string;
  placed_at: number;
  coupon_id: number;
  terms: string | null;
}

export const firstReferrals = byText<FirstReferral>((db, isKey) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('referrals', 'referrals.order_id', 'subscriptions.order_id')
    .select(['subscriptions.key', 'referrals.placed_at', 'referrals.coupon_id', 'referrals.terms'])
    .where(isKey('subscriptions.key'))
    .where('referrals.dropped', '=', sql.lit(0)),
);

/** Terms with a text, whose counters renewals may ask for. There are few terms. */
const termsLike = readFirst<{ like: string }, { hash: string }>((db, p) =>
  db.selectFrom('terms').select('hash').where('content', 'like', p.like).limit(sql.lit(1)),
);

/** What the rules of stored terms count. */
export async function storedTermsCount(db: Reader) {
  const [steps, newCustomers] = await Promise.all([
    termsLike(db, { like: '%"steps":{%' }),
    termsLike(db, { like: '%"by":"new_customers"%' }),
  ]);
  return { steps: steps !== undefined, newCustomers: newCustomers !== undefined };
}

/** A running subscription, with the order that paid for it last. */
export interface RunningRow extends OrderColumns {
  key: string;
  first_order_id: number;
  started_on: string;
  payments: number;
  last_paid_at: number;
}

/** The subscriptions that were paid last come first. */
export const runningBefore = readAll<
  Pick<RunningRow, 'key' | 'last_paid_at'> & { since: number; limit: number },
  RunningRow
>((db, p) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('orders', 'orders.order_id', 'subscriptions.last_order_id')
    .select([
      'subscriptions.key',
      'subscriptions.order_id as first_order_id',
      'subscriptions.started_on',
      'subscriptions.payments',
      'subscriptions.last_paid_at',
      'orders.order_id',
      'orders.customer_hash',
      'orders.store_id',
      'orders.content',
    ])
    .where(
      sql<boolean>`(subscriptions.last_paid_at, subscriptions.key) < (${p.last_paid_at}, ${p.key})`,
    )
    .where('subscriptions.last_paid_at', '>=', p.since)
    .orderBy('subscriptions.last_paid_at', 'desc')
    .orderBy('subscriptions.key', 'desc')
    .limit(p.limit)
    // The condition leaves out null.
    .$narrowType<{ last_paid_at: number }>(),
);

export const referralsOfFirst = readByNumbers<ReferralRow>((db, isKey) =>
  db
    .selectFrom('referrals')
    .selectAll()
    .where(isKey('order_id'))
    .where('dropped', '=', sql.lit(0))
    .orderBy('coupon_id'),
);
