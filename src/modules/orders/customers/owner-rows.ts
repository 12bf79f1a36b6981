import { sql } from 'kysely';
import { readFirst } from '../../../db/statements/calls.ts';
import { removeFrom } from '../../../db/statements/plain-calls.ts';
import { insertRows } from '../../../db/statements/rows-query.ts';
import type { RowOf } from '../../../db/tables.ts';

/** The coupon that a customer stays with, and its affiliate. */
export interface OwnerRow {
  coupon_id: number;
  credited_at: number | null;
  extended_at: number | null;
  code: string;
  user_id: number;
  /** 1 if new orders can be credited to the coupon: it is active, and its affiliate not suspended. */
  creditable: number;
}

export const findOwner = readFirst<{ customer_hash: string }, OwnerRow>((db, p) =>
  db
    .selectFrom('lifetime_customers')
    .innerJoin('coupons', 'coupons.id', 'lifetime_customers.coupon_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'lifetime_customers.user_id')
    .select([
      'lifetime_customers.coupon_id',
      'lifetime_customers.user_id',
      'lifetime_customers.credited_at',
      'lifetime_customers.extended_at',
      'coupons.code',
    ])
    .select(
      sql<number>`case when coupons.status = 'active'
        and coalesce(affiliates.status, 'active') = 'active' then 1 else 0 end`.as('creditable'),
    )
    .where('lifetime_customers.customer_hash', '=', p.customer_hash),
);

/** The oldest active coupon of an affiliate who is not suspended. */
export const findCouponToStayWith = readFirst<{ user_id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('coupons')
    .leftJoin('affiliates', 'affiliates.user_id', 'coupons.user_id')
    .select('coupons.id')
    .where('coupons.user_id', '=', p.user_id)
    .where('coupons.status', '=', 'active')
    .where((eb) => eb(eb.fn.coalesce('affiliates.status', sql.lit('active')), '=', 'active'))
    .orderBy('coupons.id')
    .limit(sql.lit(1)),
);

export const forgetOwner = removeFrom('lifetime_customers', 'customer_hash');

/** For customers whose time has ended or starts again, or whose affiliate the team changes. */
export const replaceCustomers = insertRows<RowOf<'lifetime_customers'>>('lifetime_customers', {
  on: ['customer_hash'],
  keep: [],
});
