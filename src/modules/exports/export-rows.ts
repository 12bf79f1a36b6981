import { sql } from 'kysely';
import { readAll, readByNumbers } from '../../db/statements/calls.ts';
import type { Tables } from '../../db/tables.ts';
import { selectAffiliates, type AffiliateRow } from '../affiliates/index.ts';

/** Selects a page: at most `limit` rows after a key. */
interface PageAfterKey {
  after: number;
  limit: number;
}

const orderColumns = [
  'order_id',
  'placed_at',
  'status',
  'currency',
  'exchange_rate',
  'external_id',
  'total',
  'discount',
  'shipping',
  'refunded',
  'click_id',
  'referral_code',
] as const;

export type ExportedOrder = Pick<Tables['orders'], (typeof orderColumns)[number]>;

export interface ExportedReferral {
  order_id: number;
  code: string;
  via: string;
  commission: number;
}

export type ExportedAffiliate = Pick<
  AffiliateRow,
  'id' | 'login' | 'email' | 'display_name' | 'status' | 'registered_at'
>;

export const listOrdersAfter = readAll<PageAfterKey, ExportedOrder>((db, p) =>
  db
    .selectFrom('orders')
    .select(orderColumns)
    .where('order_id', '>', p.after)
    .orderBy('order_id')
    .limit(p.limit),
);

export const listReferralsOf = readByNumbers<ExportedReferral>((db, isKey) =>
  db
    .selectFrom('referrals')
    .innerJoin('coupons', 'coupons.id', 'referrals.coupon_id')
    .select(['referrals.order_id', 'coupons.code', 'referrals.via', 'referrals.commission'])
    .where('referrals.dropped', '=', sql.lit(0))
    .where(isKey('referrals.order_id'))
    .orderBy('referrals.order_id')
    .orderBy('referrals.coupon_id'),
);

/** The users that `GET /affiliates` lists: with the role, or with a coupon. */
export const listAffiliatesAfter = readAll<PageAfterKey, ExportedAffiliate>((db, p) =>
  selectAffiliates(db)
    .select(['users.id', 'users.login', 'users.email', 'users.display_name'])
    .select((eb) => [
      eb.fn.coalesce('affiliates.status', sql.lit('active' as const)).as('status'),
      eb.fn.coalesce('affiliates.registered_at', 'users.created_at').as('registered_at'),
    ])
    .where('users.id', '>', p.after)
    .orderBy('users.id')
    .limit(p.limit),
);
