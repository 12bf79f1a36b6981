import { sql } from 'kysely';
import { readAll } from '../../../db/statements/calls.ts';
import { PAGE, pagesOf, type LookBack } from './look-back.ts';

interface FirstOrder {
  coupon_id: number;
  user_id: number;
  /** Null for a coupon without orders, and so is what follows. */
  order_id: number | null;
  commission: number | null;
  placed_at: number | null;
  total: number | null;
}

/** The first order of each coupon: one step in the index for each of them. */
const firstOfCoupons = readAll<{ after: number; limit: number }, FirstOrder>((db, p) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('coupons')
        .select(['id', 'user_id'])
        .select(
          sql<number | null>`(select order_id from referrals
            where referrals.coupon_id = coupons.id and dropped = 0
            order by day, placed_at, order_id limit 1)`.as('first_id'),
        )
        .where('id', '>', p.after)
        .where('user_id', 'is not', null)
        .orderBy('id')
        .limit(p.limit)
        .as('owned'),
    )
    .leftJoin('referrals', (on) =>
      on
        .onRef('referrals.order_id', '=', 'owned.first_id')
        .onRef('referrals.coupon_id', '=', 'owned.id'),
    )
    .leftJoin('orders', 'orders.order_id', 'owned.first_id')
    .select(['owned.id as coupon_id', 'owned.user_id', 'referrals.order_id'])
    .select(['referrals.commission', 'referrals.placed_at', 'orders.total'])
    .orderBy('owned.id')
    .$narrowType<{ user_id: number }>(),
);

/** The first order of an affiliate, of all their coupons, if it is above the amount. */
export const lookForFirstOrders: LookBack = async ({ site, sinceMs, options }, found) => {
  const firsts = new Map<number, FirstOrder>();
  const { read } = site.database;
  const pages = pagesOf<FirstOrder>((last) =>
    firstOfCoupons(read, { after: last?.coupon_id ?? 0, limit: PAGE }),
  );
  for await (const page of pages) {
    for (const row of page) {
      const known = firsts.get(row.user_id)?.placed_at ?? Infinity;
      if (row.placed_at !== null && row.placed_at < known) firsts.set(row.user_id, row);
    }
  }
  const bound = site.currency.toMinor(options.first_order_above.amount) ?? 0;
  for (const { order_id, user_id, commission, placed_at, total } of firsts.values()) {
    if (order_id === null || placed_at! < sinceMs || total! <= bound) continue;
    found.add({ order_id, user_id, commission: commission! });
  }
};
