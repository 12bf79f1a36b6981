import type { Reader } from '../../db/database.ts';
import { byNumber } from '../../db/keyed-query.ts';
import { insertRows } from '../../db/rows-query.ts';
import type { MlaSharesTable } from '../../db/tables.ts';

export type ShareRow = MlaSharesTable;

const ofOrders = byNumber<ShareRow>((db, isKey) =>
  db.selectFrom('mla_shares').selectAll().where(isKey('order_id')).orderBy('tier'),
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
  },
  { on: ['order_id', 'coupon_id', 'tier'], set: ['amount', 'awaiting', 'granted'] },
);

/** The shares of orders; those of one nearest level first. */
export function listShares(db: Reader, orderIds: ReadonlySet<number>): Promise<ShareRow[]> {
  return db.allOf(ofOrders, [...orderIds]);
}
