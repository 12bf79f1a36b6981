import type { Reader, Transaction } from '../../db/database.ts';
import { readCount } from '../../db/lists/paged-list.ts';
import { readAll, readByNumbers } from '../../db/statements/calls.ts';
import { findIn, removeFrom } from '../../db/statements/plain-calls.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import type { RowOf } from '../../db/tables.ts';
import { defineWrites, type PendingWrites } from '../../db/unit-of-work.ts';

export type OrderRow = RowOf<'orders'>;
export type ReferralRow = RowOf<'referrals'>;
export type ReferralKey = Pick<ReferralRow, 'order_id' | 'coupon_id'>;

export const findOrder = findIn('orders', 'order_id');

const upTo = readCount((db, p: { limit: number }) =>
  db.selectFrom(db.selectFrom('orders').select('order_id').limit(p.limit).as('some')),
);

/** Counts orders, and stops at the limit. */
export async function countOrdersUpTo(db: Reader, limit: number): Promise<number> {
  return upTo(db, { limit });
}

/** Finds and locks existing orders, for a transaction that changes them. */
export const findOrdersToChange = readByNumbers<OrderRow>((db, isKey, dialect) =>
  dialect.lockForUpdate(
    db.selectFrom('orders').selectAll().where(isKey('order_id')).orderBy('order_id'),
  ),
);

/**
 * Of two transactions that insert the same order concurrently the second fails, and finds the order when it
 * retries.
 */
const insertOrders = insertRows<OrderRow>('orders');

const updateOrders = updateRows<OrderRow>('orders', {
  key: ['order_id'],
  keep: ['created_at'],
});

export const listReferrals = readAll<{ order_id: number }, ReferralRow>((db, p) =>
  db.selectFrom('referrals').selectAll().where('order_id', '=', p.order_id).orderBy('coupon_id'),
);

/** Finds and locks the referrals of orders, sorted by order and coupon. */
export const listReferralsToChange = readByNumbers<ReferralRow>((db, isKey, dialect) =>
  dialect.lockForUpdate(
    db
      .selectFrom('referrals')
      .selectAll()
      .where(isKey('order_id'))
      .orderBy('order_id')
      .orderBy('coupon_id'),
  ),
);

const upsertReferrals = insertRows<ReferralRow>('referrals', {
  on: ['order_id', 'coupon_id'],
  keep: [],
});

const deleteReferral = removeFrom('referrals', 'order_id', 'coupon_id');

/** Finds and locks referrals whose held commission is due. */
export const listDue = readAll<{ now: number; limit: number }, ReferralRow>(
  (db, p, _given, dialect) =>
    dialect.lockForUpdate(
      db
        .selectFrom('referrals')
        .selectAll()
        .where('release_at', '<=', p.now)
        .orderBy('release_at')
        .limit(p.limit),
    ),
);

class PendingOrders implements PendingWrites {
  readonly added = new Map<number, OrderRow>();
  readonly changed = new Map<number, OrderRow>();

  async flush(tx: Transaction): Promise<void> {
    await Promise.all([
      tx.runMany(insertOrders, [...this.added.values()]),
      tx.runMany(updateOrders, [...this.changed.values()]),
    ]);
  }
}

const orders = defineWrites({ name: 'orders', create: () => new PendingOrders() });

/** Saves an order with the transaction; the last version of an order is the one that is written. */
export function saveOrder(tx: Transaction, order: OrderRow, { isNew }: { isNew: boolean }): void {
  const { added, changed } = tx.pending(orders);
  const rows = isNew || added.has(order.order_id) ? added : changed;
  rows.set(order.order_id, order);
}

class PendingReferrals implements PendingWrites {
  readonly rows = new Map<string, ReferralRow>();
  readonly removed = new Map<string, ReferralKey>();

  async flush(tx: Transaction): Promise<void> {
    const written = tx.runMany(upsertReferrals, [...this.rows.values()]);
    for (const key of this.removed.values()) await deleteReferral(tx, key);
    await written;
  }
}

const referrals = defineWrites({ name: 'referrals', create: () => new PendingReferrals() });

const keyOf = ({ order_id, coupon_id }: ReferralKey) => `${order_id} ${coupon_id}`;

/** Saves a referral with the transaction; the last version is the one that is written. */
export function saveReferral(tx: Transaction, referral: ReferralRow): void {
  const { rows, removed } = tx.pending(referrals);
  rows.set(keyOf(referral), referral);
  removed.delete(keyOf(referral));
}

/** Removes a referral that was an estimate: nothing else refers to it. */
export function removeReferral(tx: Transaction, { order_id, coupon_id }: ReferralKey): void {
  const { rows, removed } = tx.pending(referrals);
  const key = { order_id, coupon_id };
  rows.delete(keyOf(key));
  removed.set(keyOf(key), key);
}
