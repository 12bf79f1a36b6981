import { sql } from 'kysely';
import { write } from '../../src/db/statements/calls.ts';
import { jsonList } from '../../src/db/statements/rows-query.ts';
import type { orderMoves } from '../../src/modules/ledger/index.ts';

interface Moved {
  coupon_id: number;
  from: number;
  to: number;
  order_ids: string;
}

/** As for referrals: the coupon is still the former affiliate's. */
const moveDays = write<Moved>((db, p, _given, dialect) => ({
  compile: () =>
    sql`insert into former_days (coupon_id, user_id, day, upline_commission)
      select upline_coupon_id, ${p.to}, day, sum(counted * (awaiting + granted)) from mla_shares
      where ${dialect.inJsonArray('order_id', p.order_ids, 'number')}
        and upline_coupon_id = ${p.coupon_id} and upline_id = ${p.from}
      group by upline_coupon_id, day
      on conflict (coupon_id, user_id, day)
        do update set upline_commission = former_days.upline_commission + excluded.upline_commission`.compile(
      db,
    ),
}));

const assign = write<Moved>((db, p, _given, dialect) =>
  db
    .updateTable('mla_shares')
    .set({ upline_id: p.to })
    .where(dialect.inJsonArray('order_id', p.order_ids, 'number'))
    .where('upline_coupon_id', '=', p.coupon_id)
    .where('upline_id', '=', p.from),
);

/** Shares that moved to another account follow their orders there. */
export const moveShares: (typeof orderMoves)['contributed'] = async (
  tx,
  { couponId, from, to, orderIds },
) => {
  const moved = { coupon_id: couponId, from, to, order_ids: jsonList([...orderIds]) };
  await moveDays(tx, moved);
  await assign(tx, moved);
};
