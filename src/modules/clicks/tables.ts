import { addedTable, id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export type SourceKind = 'sub1' | 'creative';

export const tables = {
  clicks: table({
    id: id(),
    coupon_id: integer().references('coupons.id'),
    campaign: text(),
    visitor_hash: text().orNull(),
    clicked_at: integer(),
    day: text(),
    /** The order of the conversion. */
    order_id: integer().orNull(),
    /** When it was received: stores also send clicks of their history. */
    recorded_at: integer().default(0),
  })
    .index('by_visitor', ['visitor_hash', 'clicked_at'])
    // Pruning starts with the oldest clicks.
    .index('by_time', ['recorded_at'])
    .added({
      /** Creative and sub-ids of the link as JSON; null without any. */
      source: text().orNull(),
    }),
  click_days: table({
    coupon_id: integer().references('coupons.id'),
    campaign: text(),
    day: text(),
    clicks: integer().default(0),
    conversions: integer().default(0),
    /** 1 while the roster has not added its clicks since they changed. */
    roster_due: integer().default(0),
  })
    .key('coupon_id', 'day', 'campaign')
    // Sums of all coupons and of campaigns use these; counting a click changes neither index.
    .index('by_day', ['day'])
    .index('by_campaign', ['campaign', 'coupon_id', 'day'])
    .index('roster_due', ['coupon_id', 'day', 'campaign'], { where: 'roster_due = 1' }),
  /** The clicks of each coupon by month, so that a report of a year does not have to add up the days of each campaign. */
  click_months: table({
    coupon_id: integer().references('coupons.id'),
    /** Like `2026-03`. */
    month: text(),
    clicks: integer(),
    conversions: integer(),
  })
    .key('coupon_id', 'month')
    .storedByKey(),
  /** The clicks of all coupons, so that figures of the program do not have to add up the days of each coupon. */
  campaign_days: table({
    day: text(),
    campaign: text(),
    clicks: integer().default(0),
    conversions: integer().default(0),
  }).key('day', 'campaign'),
  /** Clicks by landing page and day. */
  landing_days: table({
    day: text(),
    path: text(),
    clicks: integer(),
  }).key('day', 'path'),
  /** Creative and sub-ids of the click that led to an order, because clicks are removed. Only where the link had any. */
  order_sources: addedTable({
    order_id: integer(),
    coupon_id: integer(),
    click_id: integer(),
    creative_id: integer().orNull(),
    sub1: text(),
    sub2: text(),
    sub3: text(),
    sub4: text(),
    sub5: text(),
  })
    .key('order_id', 'coupon_id')
    .storedByKey(),
  /** The clicks of each coupon by creative and by first sub-id. */
  source_days: addedTable({
    coupon_id: integer().references('coupons.id'),
    day: text(),
    kind: text<SourceKind>(),
    /** The number of the creative, or the sub-id. */
    name: text(),
    clicks: integer(),
    conversions: integer(),
  })
    .key('coupon_id', 'kind', 'day', 'name')
    .storedByKey()
    .index('by_day', ['kind', 'day']),
  /** The clicks of all coupons by creative. */
  creative_days: addedTable({
    creative_id: integer(),
    day: text(),
    clicks: integer(),
    conversions: integer(),
  })
    .key('creative_id', 'day')
    .storedByKey()
    // For reports by creative. Counting a click does not change the index.
    .index('by_day', ['day']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
