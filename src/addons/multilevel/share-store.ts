import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import type { MlaSharesTable } from './tables.ts';
import type { CouponRecords } from '../../modules/coupons/index.ts';

export type ShareRow = MlaSharesTable;

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

export const saveShares = insertRows<ShareRow>(
  'mla_shares',
  {
    order_id: 'number',
    coupon_id: 'number',
    tier: 'number',
    upline_id: 'number',
    upline_coupon_id: 'number',
    percent: 'text',
    amount: 'number',
    awaiting: 'number',
    granted: 'number',
    day: 'text',
    counted: 'number',
  },
  {
    on: ['order_id', 'coupon_id', 'tier'],
    set: ['amount', 'awaiting', 'granted', 'day', 'counted'],
  },
);

/** The shares of orders; those of one nearest level first. */
export function listShares(db: Reader, orderIds: ReadonlySet<number>): Promise<ShareRow[]> {
  return db.allByKeys(ofOrders, [...orderIds]);
}

/** A share may be worth nothing yet, and then the journal does not know of it. */
export const hasShares: CouponRecords = async (db, couponId) =>
  (await db.first(onCoupon, { coupon_id: couponId })) !== undefined;
