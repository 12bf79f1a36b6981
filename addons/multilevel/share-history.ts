import { sql } from 'kysely';
import { long, query } from '../../src/db/statements/query.ts';
import type { ShareHistory, ShareSum } from '../../src/modules/stats/index.ts';

const SHARES_AT_ONCE = 500;

/** A position among the shares of a coupon, in index order. */
interface Place {
  order_id: number;
  coupon_id: number;
  tier: number;
}

const BEGINNING: Place = { order_id: 0, coupon_id: 0, tier: 0 };
const END: Place = { order_id: Number.MAX_SAFE_INTEGER, coupon_id: 0, tier: 0 };

const findPlace = query<Place & { on_coupon: number }, Place>((db, p) =>
  db
    .selectFrom('mla_shares')
    .select(['order_id', 'coupon_id', 'tier'])
    .where('upline_coupon_id', '=', p.on_coupon)
    .where(sql<boolean>`(order_id, coupon_id, tier) > (${p.order_id}, ${p.coupon_id}, ${p.tier})`)
    .orderBy('order_id')
    .orderBy('coupon_id')
    .orderBy('tier')
    .limit(sql.lit(1))
    .offset(sql.lit(SHARES_AT_ONCE - 1)),
);

interface Stretch extends Place {
  on_coupon: number;
  last_order_id: number;
  last_coupon_id: number;
  last_tier: number;
}

const sumsOf = query<Stretch, ShareSum>(
  (db, p) =>
    db
      .selectFrom('mla_shares')
      .select(['day', 'upline_id as user_id'])
      .select(sql<number>`sum(counted * (awaiting + granted))`.as('upline_commission'))
      .where('upline_coupon_id', '=', p.on_coupon)
      .where(sql<boolean>`(order_id, coupon_id, tier) > (${p.order_id}, ${p.coupon_id}, ${p.tier})`)
      .where(
        sql<boolean>`(order_id, coupon_id, tier) <= (${p.last_order_id}, ${p.last_coupon_id}, ${p.last_tier})`,
      )
      .groupBy(['day', 'upline_id']),
  long,
);

/** Sums the shares of a coupon, for a rebuild of its figures. */
export const sharesByDay: ShareHistory = async function* (db, couponId) {
  for (let after: Place | undefined = BEGINNING; after;) {
    const from: Place & { on_coupon: number } = { on_coupon: couponId, ...after };
    const last: Place | undefined = await db.first(findPlace, from);
    const { order_id, coupon_id, tier } = last ?? END;
    const until = { last_order_id: order_id, last_coupon_id: coupon_id, last_tier: tier };
    yield await db.all(sumsOf, { ...from, ...until });
    after = last;
  }
};
