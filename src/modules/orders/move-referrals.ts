import { write } from '../../db/statements/calls.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import type { orderMoves } from '../ledger/index.ts';

const assign = write<{ coupon_id: number; from: number; to: number; order_ids: string }>(
  (db, p, _given, dialect) =>
    db
      .updateTable('referrals')
      .set({ user_id: p.to })
      .where(dialect.inJsonArray('order_id', p.order_ids, 'number'))
      .where('coupon_id', '=', p.coupon_id)
      .where('user_id', '=', p.from),
);

/** The referrals whose commission moved to another account: later changes of their orders are posted there. */
export const moveReferrals: (typeof orderMoves)['contributed'] = async (
  tx,
  { couponId, from, to, orderIds },
) => {
  await assign(tx, { coupon_id: couponId, from, to, order_ids: jsonList([...orderIds]) });
};
