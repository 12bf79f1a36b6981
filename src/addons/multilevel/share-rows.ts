import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';
import type { MlaSharesTable } from './tables.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';
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

const upsertShares = insertRows<ShareRow>('mla_shares', {
  on: ['order_id', 'coupon_id', 'tier'],
  set: ['percent', 'amount', 'awaiting', 'granted', 'day', 'counted', 'release_at'],
});

/** The shares of orders, lowest tier first. */
export function listShares(db: Reader, orderIds: ReadonlySet<number>): Promise<ShareRow[]> {
  return db.allByKeys(ofOrders, [...orderIds]);
}

class PendingShares implements PendingWrites {
  readonly rows = new Map<string, ShareRow>();

  flush(tx: Transaction): Promise<void> {
    return tx.runMany(upsertShares, [...this.rows.values()]);
  }
}

const shares = defineWrites({
  name: 'shares',
  after: 'referrals',
  create: () => new PendingShares(),
});

/** Saves a share with the transaction; the last version is the one that is written. */
export function saveShare(tx: Transaction, share: ShareRow): void {
  const { order_id, coupon_id, tier } = share;
  tx.pending(shares).rows.set(`${order_id} ${coupon_id} ${tier}`, share);
}

/** A share of zero has no ledger entry, so the coupon needs this check besides the ledger's. */
export const hasShares: CouponRecords = async (db, couponId) =>
  (await db.first(onCoupon, { coupon_id: couponId })) !== undefined;
