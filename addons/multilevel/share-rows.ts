import { sql } from 'kysely';
import type { Reader } from '../../src/db/database.ts';
import { collectRows } from '../../src/db/statements/collect-rows.ts';
import { byNumber } from '../../src/db/statements/keyed-query.ts';
import { query } from '../../src/db/statements/query.ts';
import type { RowOf } from '../../src/db/tables.ts';
import type { CouponRecords } from '../../src/modules/coupons/index.ts';

export type ShareRow = RowOf<'mla_shares'>;

const ofOrders = byNumber<ShareRow>((db, isKey) =>
  db.selectFrom('mla_shares').selectAll().where(isKey('order_id')).orderBy('tier'),
);

const onCoupon = query<{ coupon_id: number }, { order_id: number }>((db, p) =>
  db
    .selectFrom('mla_shares')
    .select('order_id')
    .where('upline_coupon_id', '=', p.coupon_id)
    .limit(sql.lit(1)),
);

/** The shares of orders, lowest tier first. */
export function listShares(db: Reader, orderIds: ReadonlySet<number>): Promise<ShareRow[]> {
  return db.allByKeys(ofOrders, [...orderIds]);
}

export const saveShare = collectRows<ShareRow>('mla_shares', {
  after: 'referrals',
  on: ['order_id', 'coupon_id', 'tier'],
  set: ['percent', 'amount', 'awaiting', 'granted', 'day', 'counted', 'release_at'],
});

/** A share of zero has no ledger entry, so the coupon needs this check besides the ledger's. */
export const hasShares: CouponRecords = async (db, couponId) =>
  (await db.first(onCoupon, { coupon_id: couponId })) !== undefined;
