import { sql, type Kysely } from 'kysely';
import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Tables } from '../../db/tables.ts';
import { collection, pageHeaders } from '../../kernel/cache/collection.ts';
import { bounds, effectiveRange, isRange, rangeParameters } from '../../kernel/call/date-range.ts';
import { isAdmin } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../kernel/declare/schemas.ts';
import { offsetOf } from '../../shared/pagination.ts';
import { requireReadableCoupon } from '../coupons/index.ts';
import {
  orderStatuses,
  type OrderStatus,
  referredOrderColumns,
  ReferredOrderSchema,
  toReferredOrder,
  type ReferredOrderRow,
} from '../orders/index.ts';
import { couponFigures } from './coupon-figures.ts';
import { toStatusCounts } from './figures.ts';
import { orderPagesOf } from './order-page-cache.ts';
import { findDayAt } from './stats-rows.ts';

interface Wanted {
  coupon_id: number;
  first: string;
  last: string;
  status?: OrderStatus | undefined;
  /** Of a coupon that changed hands: whose orders; all without it. */
  user_id?: number | undefined;
  limit: number;
  offset: number;
}

type Given = (name: keyof Wanted) => boolean;

function matching(db: Kysely<Tables>, p: Wanted, given: Given) {
  return db
    .selectFrom('referrals')
    .where('coupon_id', '=', p.coupon_id)
    .where('dropped', '=', sql.lit(0))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .$if(given('status'), (q) => q.where('status', '=', p.status!))
    .$if(given('user_id'), (q) => q.where('user_id', '=', p.user_id!));
}

/** Selects the orders from the index only, so a deep page costs little more than the first. */
function wantedIds(db: Kysely<Tables>, p: Wanted, given: Given) {
  return matching(db, p, given)
    .select(['order_id', 'coupon_id'])
    .orderBy('day', 'desc')
    .orderBy('placed_at', 'desc')
    .orderBy('order_id', 'desc')
    .limit(p.limit)
    .offset(p.offset);
}

const page = query<Wanted, ReferredOrderRow>((db, p, given) =>
  db
    .selectFrom(wantedIds(db, p, given).as('wanted'))
    .innerJoin('orders', 'orders.order_id', 'wanted.order_id')
    .innerJoin('referrals', (join) =>
      join
        .onRef('referrals.order_id', '=', 'wanted.order_id')
        .onRef('referrals.coupon_id', '=', 'wanted.coupon_id'),
    )
    .select(referredOrderColumns.map((column) => `orders.${column}` as const))
    .select(['referrals.commission', 'referrals.via'])
    .orderBy(sql`referrals.day`, 'desc')
    .orderBy('orders.placed_at', 'desc')
    .orderBy('orders.order_id', 'desc'),
);

/** Up to this offset, skipping entries of the index costs less than finding the day. */
const SKIPPED_MAX = 500;

/** Skips whole days by their stored counts: the last page costs little more than the first. */
async function skipDays(db: Reader, wanted: Wanted): Promise<Wanted> {
  if (wanted.offset <= SKIPPED_MAX || wanted.user_id !== undefined) return wanted;
  const start = await findDayAt(db, wanted);
  return start ? { ...wanted, last: start.day, offset: wanted.offset - start.before } : wanted;
}

export const listCouponOrders = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/coupons/{id}/orders',
  summary: 'Orders referred by a coupon, with commission per order',
  description: 'Newest first. Fixed ranges are served from a cache that follows every change.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  query: Type.Object({
    ...rangeParameters,
    status: Type.Optional(
      StringEnum(orderStatuses, { description: 'Orders of this status only.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(ReferredOrderSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, input) {
    const coupon = await requireReadableCoupon(db, site, caller, input.id);
    const forAdmin = isAdmin(caller);
    const range = effectiveRange(input, site, nowMs);
    const wanted: Wanted = {
      coupon_id: coupon.id,
      ...bounds(range),
      status: input.status,
      limit: input.per_page,
      offset: offsetOf(input),
      // An affiliate sees its own orders, and not those of one that had the coupon before.
      ...(!forAdmin && coupon.owned_since !== null && { user_id: coupon.user_id! }),
    };
    const { figures } = await couponFigures(db, site, caller, coupon, range);
    const total = totalOf(toStatusCounts(figures), input.status);
    const read = async () => db.all(page, await skipDays(db, wanted));
    return collection(input, total, async () => {
      const rows = isRange(range)
        ? await orderPagesOf(site).find(coupon, JSON.stringify(wanted), read)
        : await read();
      return rows.map((row) => toReferredOrder(row, site, { forAdmin }));
    });
  },
});

/** From the stored figures: no rows are counted. */
function totalOf(counts: ReturnType<typeof toStatusCounts>, status: OrderStatus | undefined) {
  return status ? counts[status] : Object.values(counts).reduce((sum, n) => sum + n, 0);
}
