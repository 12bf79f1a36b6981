import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { OrdersTable, ReferralsTable } from '../../db/tables.ts';

export type OrderRow = Selectable<OrdersTable>;
export type ReferralRow = Selectable<ReferralsTable>;

const byId = query<{ order_id: number }, OrderRow>((db, p) =>
  db.selectFrom('orders').selectAll().where('order_id', '=', p.order_id),
);

const save = query<OrderRow>((db, p) => {
  const changed = {
    placed_at: p.placed_at,
    day: p.day,
    status: p.status,
    currency: p.currency,
    total: p.total,
    discount: p.discount,
    shipping: p.shipping,
    refunded: p.refunded,
    modified_at: p.modified_at as number,
    customer_hash: p.customer_hash as string,
    content: p.content,
    updated_at: p.updated_at,
  };
  return db
    .insertInto('orders')
    .values({ order_id: p.order_id, created_at: p.created_at, ...changed })
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet(changed));
});

const referralsOf = query<{ order_id: number }, ReferralRow>((db, p) =>
  db.selectFrom('referrals').selectAll().where('order_id', '=', p.order_id).orderBy('coupon_id'),
);

const saveOne = query<ReferralRow>((db, p) => {
  const changed = {
    user_id: p.user_id,
    via: p.via,
    day: p.day,
    status: p.status,
    commission: p.commission,
    state: p.state,
    awaiting: p.awaiting,
    granted: p.granted,
    release_at: p.release_at as number,
    counted: p.counted,
    sales: p.sales,
    discount: p.discount,
    shipping: p.shipping,
  };
  return db
    .insertInto('referrals')
    .values({ order_id: p.order_id, coupon_id: p.coupon_id, rates: p.rates, ...changed })
    .onConflict((conflict) => conflict.columns(['order_id', 'coupon_id']).doUpdateSet(changed));
});

const due = query<{ now: number; limit: number }, ReferralRow>((db, p) =>
  db
    .selectFrom('referrals')
    .selectAll()
    .where('release_at', '<=', p.now)
    .orderBy('release_at')
    .limit(p.limit),
);

export function findOrder(db: Reader, orderId: number): Promise<OrderRow | undefined> {
  return db.first(byId, { order_id: orderId });
}

export async function saveOrder(tx: Transaction, order: OrderRow): Promise<void> {
  await tx.run(save, order);
}

export function listReferrals(db: Reader, orderId: number): Promise<ReferralRow[]> {
  return db.all(referralsOf, { order_id: orderId });
}

export async function saveReferral(tx: Transaction, referral: ReferralRow): Promise<void> {
  await tx.run(saveOne, referral);
}

/** Referrals whose commission has been held back long enough. */
export function listDue(db: Reader, nowMs: number, limit: number): Promise<ReferralRow[]> {
  return db.all(due, { now: nowMs, limit });
}
