import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { sql } from 'kysely';
import { selectAffiliates } from '../affiliates/index.ts';

/** Selects a page: at most `limit` rows after a key. */
interface PageAfterKey {
  after: number;
  limit: number;
}

export interface ExportedOrder {
  order_id: number;
  placed_at: number;
  status: string;
  currency: string;
  exchange_rate: string | null;
  external_id: string | null;
  total: number;
  discount: number;
  shipping: number;
  refunded: number;
  click_id: number | null;
  referral_code: string | null;
}

export interface ExportedReferral {
  order_id: number;
  code: string;
  via: string;
  commission: number;
}

export interface ExportedAffiliate {
  id: number;
  login: string;
  email: string;
  display_name: string;
  status: string;
  registered_at: number;
}

export const listOrdersAfter = readAll<PageAfterKey, ExportedOrder>((db, p) =>
  db
    .selectFrom('orders')
    .select([
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
    ])
    .where('order_id', '>', p.after)
    .orderBy('order_id')
    .limit(p.limit),
);

const referrals = query<{ order_ids: string }, ExportedReferral>((db, p, _given, dialect) =>
  db
    .selectFrom('referrals')
    .innerJoin('coupons', 'coupons.id', 'referrals.coupon_id')
    .select(['referrals.order_id', 'coupons.code', 'referrals.via', 'referrals.commission'])
    .where('referrals.dropped', '=', sql.lit(0))
    .where(dialect.inJsonArray('referrals.order_id', p.order_ids, 'number'))
    .orderBy('referrals.order_id')
    .orderBy('referrals.coupon_id'),
);

/** The users that `GET /affiliates` lists: with the role, or with a coupon. */
export const listAffiliatesAfter = readAll<PageAfterKey, ExportedAffiliate>((db, p) =>
  selectAffiliates(db)
    .select(['users.id', 'users.login', 'users.email', 'users.display_name'])
    .select((eb) => [
      eb.fn.coalesce('affiliates.status', sql.lit('active')).as('status'),
      eb.fn.coalesce('affiliates.registered_at', 'users.created_at').as('registered_at'),
    ])
    .where('users.id', '>', p.after)
    .orderBy('users.id')
    .limit(p.limit),
);

const groups = query<{ user_ids: string }, { user_id: number; name: string }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('affiliate_groups')
      .innerJoin('groups', 'groups.id', 'affiliate_groups.group_id')
      .select(['affiliate_groups.user_id', 'groups.name'])
      .where(dialect.inJsonArray('affiliate_groups.user_id', p.user_ids, 'number'))
      .orderBy('groups.id'),
);

export function listReferralsOf(
  db: Reader,
  orderIds: readonly number[],
): Promise<ExportedReferral[]> {
  return db.all(referrals, { order_ids: JSON.stringify(orderIds) });
}

export function listGroupsOf(db: Reader, userIds: readonly number[]) {
  return db.all(groups, { user_ids: JSON.stringify(userIds) });
}
