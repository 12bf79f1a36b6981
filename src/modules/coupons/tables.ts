import { addedTable, id, integer, table, text, type TablesOf } from '../../db/define-table.ts';
import { counters } from '../../db/statements/columns.ts';
import { rateColumns } from '../groups/index.ts';

export const couponStatuses = ['active', 'disabled'] as const;
export type CouponStatus = (typeof couponStatuses)[number];

export const tables = {
  coupons: table({
    id: id(),
    code: text(),
    code_folded: text(),
    user_id: integer().orNull().references('users.id'),
    status: text<CouponStatus>(),
    ...rateColumns,
    created_at: integer(),
    refreshed_at: integer().orNull(),
    // Its balances are those of today's affiliate. Shares of the upline are of the referrals of affiliates below in the
    // hierarchy; all other figures are from the coupon's own referrals. Orders of a status need not count in statistics.
    ...counters('balances', 'figures', 'statuses'),
    /** Incremented with every change of its orders or figures: in-memory caches are keyed by it. */
    figures_version: integer().default(0),
    upline_commission: integer().default(0),
    /** 1 while the roster has not added its figures since they changed. */
    roster_due: integer().default(1),
    /** The affiliate whose entry in the roster includes it. */
    roster_user_id: integer().orNull(),
  })
    .index('by_code', ['code_folded', 'id'])
    .index('by_user', ['user_id', 'id'])
    .index('by_status', ['status', 'id'])
    // Counts the coupons that a change of the store's percentage affects. Orders do not change it.
    .index('without_percent', ['user_id', 'percent'], { where: 'percent is null' })
    // An update that leaves `roster_due` at 1 changes no index.
    .index('roster_due', ['id'], { where: 'roster_due = 1' })
    .added({
      /** JSON object: what customers get off with its code; null for none of its own. */
      discount: text().orNull(),
      /** Since when its affiliate has it, in ms; null for the first owner, 0 if that is unknown. */
      owned_since: integer().orNull(),
    }),
  /**
   * The affiliates of a coupon with their times, which are instants in ms: the rows of a coupon cover all time without gaps, so a period without an
   * affiliate is a row too. Two changes within a second leave a row without duration.
   */
  coupon_owners: addedTable({
    id: id(),
    coupon_id: integer().references('coupons.id'),
    user_id: integer().orNull().references('users.id'),
    /** 0 for the first owner, who counts as owner from the beginning. */
    since: integer(),
    /** The first instant of the next owner; null for the owner of today. */
    until: integer().orNull(),
  }).index('by_coupon', ['coupon_id', 'id']),
  /** What an affiliate, or 0 for none, still has on a coupon that now belongs to another affiliate. */
  former_accounts: addedTable({
    coupon_id: integer().references('coupons.id'),
    user_id: integer(),
    ...counters('balances'),
  })
    .key('coupon_id', 'user_id')
    .index('by_user', ['user_id', 'coupon_id']),
  /** What of the clicks of a coupon is of affiliates who had it before; those of no affiliate with 0. */
  former_clicks: addedTable({
    coupon_id: integer().references('coupons.id'),
    kind: text<'campaign' | 'creative' | 'sub1'>(),
    day: text(),
    name: text(),
    user_id: integer(),
    clicks: integer(),
    conversions: integer(),
  })
    .key('coupon_id', 'kind', 'day', 'name', 'user_id')
    .storedByKey()
    .index('by_user', ['user_id', 'kind', 'day'])
    .index('by_day', ['day']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
