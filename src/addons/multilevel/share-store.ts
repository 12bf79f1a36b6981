import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { MlaSharesTable } from '../../db/tables.ts';

export type ShareRow = MlaSharesTable;

const ofReferral = query<{ order_id: number; coupon_id: number }, ShareRow>((db, p) =>
  db
    .selectFrom('mla_shares')
    .selectAll()
    .where('order_id', '=', p.order_id)
    .where('coupon_id', '=', p.coupon_id)
    .orderBy('tier'),
);

const save = query<ShareRow>((db, p) => {
  const changed = { amount: p.amount, awaiting: p.awaiting, granted: p.granted };
  return db
    .insertInto('mla_shares')
    .values({
      order_id: p.order_id,
      coupon_id: p.coupon_id,
      tier: p.tier,
      upline_id: p.upline_id,
      upline_coupon_id: p.upline_coupon_id,
      percent: p.percent,
      ...changed,
    })
    .onConflict((conflict) =>
      conflict.columns(['order_id', 'coupon_id', 'tier']).doUpdateSet(changed),
    );
});

export function listShares(db: Reader, orderId: number, couponId: number): Promise<ShareRow[]> {
  return db.all(ofReferral, { order_id: orderId, coupon_id: couponId });
}

export async function saveShare(tx: Transaction, share: ShareRow): Promise<void> {
  await tx.run(save, share);
}
