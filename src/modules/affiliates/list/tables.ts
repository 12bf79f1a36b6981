import { integer, table, text, type TablesOf } from '../../../db/define-table.ts';
import type { AffiliateStatus } from '../tables.ts';

export const roster = {
  /** What the list of affiliates is sorted, filtered and searched by: one entry per affiliate, built from other tables. */
  roster: table({
    user_id: integer().key().references('users.id'),
    /** The display name in lower case. */
    name: text(),
    status: text<AffiliateStatus>(),
    registered_at: integer(),
    /** Sums over its coupons, in minor units. */
    sales: integer(),
    /** With its shares of the referrals of affiliates below. */
    commission: integer(),
    unpaid: integer(),
    orders_count: integer(),
    clicks: integer(),
    /** When its last order was placed; 0 for none. */
    last_order_at: integer(),
    /** The words it is found by, separated by spaces. */
    words: text(),
    /** The largest of its coupons' unpaid sums: a payout is of one coupon. */
    highest_unpaid: integer().default(0),
  })
    .index('by_name', ['name', 'user_id', 'status'])
    .index('by_registered_at', ['registered_at', 'user_id', 'status'])
    .index('by_sales', ['sales', 'user_id', 'status'])
    .index('by_commission', ['commission', 'user_id', 'status'])
    .index('by_unpaid', ['unpaid', 'user_id', 'status'])
    .index('by_clicks', ['clicks', 'user_id', 'status'])
    .index('by_last_order_at', ['last_order_at', 'user_id', 'status'])
    .index('by_status', ['status', 'user_id'])
    .index('by_highest_unpaid', ['highest_unpaid']),
  /** The words of each entry, one per row: a search reads a range of them. */
  roster_words: table({
    word: text(),
    user_id: integer().references('roster.user_id'),
  })
    .key('word', 'user_id')
    .index('by_user', ['user_id', 'word']),
};

declare module '../../../db/tables.ts' {
  interface Tables extends TablesOf<typeof roster> {}
}
