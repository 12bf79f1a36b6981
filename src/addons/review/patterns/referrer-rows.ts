import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll, readByNumbers } from '../../../db/statements/calls.ts';
import { isCouponSite } from './coupon-sites.ts';

/** A statement reads so much of a day: a few milliseconds in a store with a million clicks a day. */
const SLICE_MS = 5 * 60_000;

interface Slice {
  from: number;
  until: number;
}

const referrersIn = readAll<Slice, { coupon_id: number; referrer: string; clicks: number }>(
  (db, p) =>
    db
      .selectFrom('review_click_traces')
      .select(['coupon_id', 'referrer'])
      .select((eb) => eb.fn.countAll<number>().as('clicks'))
      .where('recorded_at', '>=', p.from)
      .where('recorded_at', '<', p.until)
      .where('referrer', '<>', sql.lit(''))
      .groupBy(['coupon_id', 'referrer']),
);

/** The coupon sites that clicks of a period came from, with their number, by coupon. */
export async function readReferrers(
  db: Reader,
  { from, until }: Slice,
  sites: readonly string[],
): Promise<Map<number, Map<string, number>>> {
  const found = new Map<number, Map<string, number>>();
  // Many clicks come from few hosts.
  const known = new Map<string, boolean>();
  for (let at = from; at < until; at += SLICE_MS) {
    const slice = { from: at, until: Math.min(at + SLICE_MS, until) };
    for (const { coupon_id, referrer, clicks } of await referrersIn(db, slice)) {
      const isListed = known.get(referrer) ?? isCouponSite(referrer, sites);
      known.set(referrer, isListed);
      if (!isListed) continue;
      const hosts = found.get(coupon_id) ?? new Map<string, number>();
      found.set(coupon_id, hosts.set(referrer, (hosts.get(referrer) ?? 0) + clicks));
    }
    await nextTurn();
  }
  return found;
}

export const findOwners = readByNumbers<{ code: string; user_id: number | null }>((db, isKey) =>
  db.selectFrom('coupons').select(['code', 'user_id']).where(isKey('id')),
);
