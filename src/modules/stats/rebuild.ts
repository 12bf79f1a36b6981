import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Site } from '../../kernel/site.ts';
import { rangeCacheOf } from '../orders/index.ts';
import { claimRefresh, findNextDay, rebuildCouponDay, rebuildCouponTotals } from './stats-store.ts';

const REBUILD_EVERY_MS = 60_000;

/**
 * Rebuilds a coupon's stored figures from its order history: day by day, each in a short transaction
 * of its own, so that nobody waits for the whole of it. A day is right from the moment it is rebuilt,
 * since orders that come in meanwhile are added to it; so are the sums of the days at the end.
 *
 * False when the coupon was rebuilt within the last minute.
 */
export async function rebuildCoupon(site: Site, couponId: number, nowMs: number): Promise<boolean> {
  const { database } = site;
  const mine = await database.transaction((tx) =>
    claimRefresh(tx, couponId, nowMs, REBUILD_EVERY_MS),
  );
  if (!mine) return false;
  let day = await findNextDay(database.read, couponId, '');
  while (day !== null) {
    const today: string = day;
    await database.transaction((tx) => rebuildCouponDay(tx, couponId, today));
    day = await findNextDay(database.read, couponId, today);
    await nextTurn();
  }
  await database.transaction((tx) => rebuildCouponTotals(tx, couponId));
  rangeCacheOf(site).forget(couponId);
  return true;
}
