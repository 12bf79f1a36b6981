import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readFirst } from '../../../db/statements/calls.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { sourcesOf } from '../delivery/order-sources.ts';
import { noSubs, orderKey, type OrderMessage } from './order-values.ts';

interface LastReferral {
  order_id: number;
  coupon_id: number;
  placed_at: number;
  state: 'awaiting' | 'granted' | 'void';
  sales: number;
  commission: number;
}

/** The newest order of each coupon is found in an index, then the newest of them. */
const lastOf = readFirst<{ user_id: number }, LastReferral>((db, p) =>
  db
    .selectFrom('coupons')
    .innerJoin('referrals', (join) =>
      join
        .onRef('referrals.coupon_id', '=', 'coupons.id')
        .on('referrals.order_id', '=', (eb) =>
          eb
            .selectFrom('referrals as newest')
            .select('newest.order_id')
            .whereRef('newest.coupon_id', '=', 'coupons.id')
            .whereRef('newest.user_id', '=', 'coupons.user_id')
            .where('newest.dropped', '=', sql.lit(0))
            .orderBy('newest.day', 'desc')
            .orderBy('newest.placed_at', 'desc')
            .orderBy('newest.order_id', 'desc')
            .limit(1),
        ),
    )
    .select(['referrals.order_id', 'referrals.coupon_id', 'referrals.placed_at'])
    .select(['referrals.state', 'referrals.sales', 'referrals.commission'])
    .where('coupons.user_id', '=', p.user_id)
    .orderBy('referrals.placed_at', 'desc')
    .limit(1),
);

const statuses = { awaiting: 'created', granted: 'granted', void: 'reversed' } as const;

/** The last order of an affiliate as a postback would send it; an example if there is none. */
export async function lastOrder(
  db: Reader,
  site: Site,
  userId: number,
  nowMs: number,
): Promise<{ message: OrderMessage; isExample: boolean }> {
  const { currency } = site;
  const last = await lastOf(db, { user_id: userId });
  if (!last) {
    const values = { id: orderKey(1042, 12), order: 1042, code: 'MAYA10', click: 5120, ...noSubs };
    const amounts = { amount: 125, commission: 12.5, currency: currency.code };
    const message = { eventId: 42, status: 'created' as const, occurredAtMs: nowMs };
    return { message: { ...message, values: { ...values, ...amounts } }, isExample: true };
  }
  const order = { orderId: last.order_id, couponId: last.coupon_id };
  const sourceOf = await sourcesOf(db, [order]);
  const values = {
    ...sourceOf(order),
    order: last.order_id,
    amount: currency.toMajor(last.sales),
    commission: currency.toMajor(last.commission),
    currency: currency.code,
  };
  // A preview has no event, so its id is 0.
  const message = {
    values,
    status: statuses[last.state],
    eventId: 0,
    occurredAtMs: last.placed_at,
  };
  return { message, isExample: false };
}
