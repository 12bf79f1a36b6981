import { integer, shortInteger, table, text, type TablesOf } from '../../src/db/define-table.ts';

export const tables = {
  /** The share of one ancestor in one referral. */
  mla_shares: table({
    order_id: integer(),
    coupon_id: integer().references('coupons.id'),
    /** 1 is the parent, 2 the parent's parent. */
    tier: shortInteger(),
    upline_id: integer().references('users.id'),
    /** The coupon whose balance it is posted to. */
    upline_coupon_id: integer().references('coupons.id'),
    percent: text(),
    amount: integer(),
    /** Amounts currently posted to the ledger for it. */
    awaiting: integer(),
    granted: integer(),
    /** The day of the order and whether it is counted: locates the share in the figures. */
    day: text().default(''),
    counted: integer().default(0),
    /** When the held commission of the referral is granted, and with it this share. */
    release_at: integer().orNull(),
  })
    .key('order_id', 'coupon_id', 'tier')
    .index('by_coupon', ['upline_coupon_id', 'order_id', 'coupon_id', 'tier'])
    .index('held', ['upline_coupon_id', 'release_at', 'awaiting'], {
      where: 'release_at is not null',
    }),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
