import type { Reader } from '../../db/database.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { ReferralRow } from './order-rows.ts';

type Key = Pick<ReferralRow, 'order_id' | 'coupon_id'>;

/** Finds the orders whose commission the store has rejected, by coupon. */
type FindRejected = (db: Reader, orderIds: readonly number[]) => Promise<readonly Key[]>;

export const rejectedReferrals = new Point<FindRejected>('orders.rejected-referrals');

/** The rows among those of a list that earn nothing because the store has rejected them. */
export async function findRejected<R extends Key & Pick<ReferralRow, 'state'>>(
  db: Reader,
  site: Site,
  rows: readonly R[],
): Promise<ReadonlySet<R>> {
  const points = site.registry.allContributions(rejectedReferrals);
  const voids = rows.filter(({ state }) => state === 'void');
  if (points.length === 0 || voids.length === 0) return new Set();
  const ids = [...new Set(voids.map(({ order_id }) => order_id))];
  const found = (await Promise.all(points.map((find) => find(db, ids)))).flat();
  return new Set(
    voids.filter(({ order_id, coupon_id }) =>
      found.some((one) => one.order_id === order_id && one.coupon_id === coupon_id),
    ),
  );
}
