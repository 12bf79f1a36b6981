import { write } from '../../db/statements/calls.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { orderMoves } from '../../modules/ledger/index.ts';

const assign = write<{ coupon_id: number; from: number; to: number; order_ids: string }>(
  (db, p, _given, dialect) =>
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
  await assign(tx, { coupon_id: couponId, from, to, order_ids: jsonList([...orderIds]) });
};
