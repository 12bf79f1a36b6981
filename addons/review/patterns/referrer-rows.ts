import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { long } from '../../../src/db/statements/query.ts';
import { isCouponSite } from './coupon-sites.ts';

/** A statement reads so much of a day: a few milliseconds in a store with a million clicks a day. */
const SLICE_MS = 5 * 60_000;

interface Slice {
  from: number;
  until: number;
}

interface Referred {
  code: string;
  /** The affiliate who had the coupon at the time of the click. */
  owner_id: number | null;
  referrer: string;
  clicks: number;
}

const referrersIn = readAll<Slice, Referred>(
  (db, p) =>
    db
      .selectFrom('review_click_traces as traces')
      .innerJoin('coupons', 'coupons.id', 'traces.coupon_id')
      .select(['coupons.code', 'traces.referrer'])
      .select(
        sql<number | null>`case when traces.recorded_at < coupons.owned_since
        then (select owners.user_id from coupon_owners as owners
          where owners.coupon_id = coupons.id and owners.since <= traces.recorded_at
          order by owners.id desc limit 1)
        else coupons.user_id end`.as('owner_id'),
      )
      .select((eb) => eb.fn.countAll<number>().as('clicks'))
      .where('traces.recorded_at', '>=', p.from)
      .where('traces.recorded_at', '<', p.until)
      .where('traces.referrer', '<>', sql.lit(''))
      .groupBy(['coupons.code', 'owner_id', 'traces.referrer']),
  long,
);

/** The coupon sites that clicks of a period came from, with their number, by code and affiliate. */
export async function readReferrers(
  db: Reader,
  { from, until }: Slice,
  sites: readonly string[],
): Promise<{ userId: number; code: string; hosts: Map<string, number> }[]> {
  const found = new Map<string, { userId: number; code: string; hosts: Map<string, number> }>();
  // Many clicks come from few hosts.
  const known = new Map<string, boolean>();
  for (let at = from; at < until; at += SLICE_MS) {
    const slice = { from: at, until: Math.min(at + SLICE_MS, until) };
    for (const { code, owner_id: userId, referrer, clicks } of await referrersIn(db, slice)) {
      const isListed = known.get(referrer) ?? isCouponSite(referrer, sites);
      known.set(referrer, isListed);
      if (!isListed || userId === null) continue;
      const key = `${userId} ${code}`;
      const { hosts } = found.get(key) ?? { hosts: new Map<string, number>() };
      hosts.set(referrer, (hosts.get(referrer) ?? 0) + clicks);
      found.set(key, { userId, code, hosts });
    }
  }
  return [...found.values()];
}
