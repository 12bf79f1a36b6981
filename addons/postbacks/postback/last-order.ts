import type { Reader } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { lastOrdersOf } from '../../../src/modules/coupons/index.ts';
import { sourcesOf } from '../delivery/order-sources.ts';
import { noSubs, orderKey, type OrderMessage } from './order-values.ts';

const statuses = { awaiting: 'created', granted: 'granted', void: 'reversed' } as const;

/** The last order of an affiliate as a postback would send it; an example if there is none. */
export async function lastOrder(
  db: Reader,
  site: Site,
  userId: number,
  nowMs: number,
): Promise<{ message: OrderMessage; isExample: boolean }> {
  const { currency } = site;
  const [last] = (await lastOrdersOf(db, [userId])).sort((a, b) => b.placed_at - a.placed_at);
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
