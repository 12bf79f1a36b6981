import { addedTable, integer, table, text, type TablesOf } from '../../db/define-table.ts';
import { columnGroups, counters } from '../../db/statements/columns.ts';
import type { OrderStatus } from './settings.ts';

/** What led to the affiliate. */
export const vias = ['coupon', 'link', 'lifetime', 'manual'] as const;
export type Via = (typeof vias)[number];

/** The fields of an order that can lead to a coupon. */
export const creditingFields = [
  'coupon_codes',
  'click_id',
  'visitor',
  'referral_code',
  'customer',
  'subscription',
] as const;
export type CreditingField = (typeof creditingFields)[number];

export const referralStates = ['awaiting', 'granted', 'void'] as const;
export type ReferralState = (typeof referralStates)[number];

/**
 * What steps and bonuses add up: of the orders that count, those that can earn, which own and rejected orders cannot, and
 * of these, those whose commission is payable or held.
 */
export const counterColumns = columnGroups.counters;
export type CounterColumn = (typeof counterColumns)[number];

export const tables = {
  /** Orders of the store. Amounts are minor units of the store's currency. */
  orders: table({
    order_id: integer().key(),
    placed_at: integer(),
    day: text(),
    status: text<OrderStatus>(),
    /** The order's own currency. */
    currency: text(),
    total: integer(),
    discount: integer(),
    shipping: integer(),
    refunded: integer(),
    /** When the store last changed it, if the store sends that: older versions are ignored. */
    modified_at: integer().orNull(),
    customer_hash: text().orNull(),
    /** The order as the store sent it, with hashes for customer and visitor: JSON with sorted keys. */
    content: text(),
    created_at: integer(),
    updated_at: integer(),
    /** Value of one unit in the store's currency, as the store sent it; null for the store's currency. */
    exchange_rate: text().orNull(),
    /** The store's own identifier, if it has one besides the number. */
    external_id: text().orNull(),
    /** The store's tracking data for the link that led to the order; the visitor only as a keyed hash. */
    click_id: integer().orNull(),
    visitor_hash: text().orNull(),
    referral_code: text().orNull(),
    /** The connected store that the order comes from; null if the store sends its orders itself. */
    store_id: integer().orNull(),
  })
    .index('by_date', ['status', 'placed_at', 'order_id', 'total'])
    .index('by_total', ['status', 'total', 'order_id', 'placed_at'])
    .added({
      /** When it first counted, and everything about it was decided; null while it is an estimate. */
      decided_at: integer().orNull(),
      /** The number that the store shows for it, where that is not `external_id`. */
      number: text().orNull(),
    })
    .index('by_number', ['number'], { where: 'number is not null' })
    // By time, so that the first order of a customer is found without reading the others.
    .index('by_customer', 'substr(customer_hash, 1, 8), placed_at', {
      where: 'customer_hash is not null',
    }),
  /** A referral attributes one order to one coupon. */
  referrals: table({
    order_id: integer().references('orders.order_id'),
    coupon_id: integer().references('coupons.id'),
    user_id: integer(),
    via: text<Via>(),
    /** The rates that were decided for the lines of its order, JSON: later changes of rates do not affect them. */
    rates: text(),
    day: text(),
    status: text<OrderStatus>(),
    /** Current commission: 0 while the state is `void`. */
    commission: integer(),
    state: text<ReferralState>(),
    /** Amounts currently posted to the ledger for it. */
    awaiting: integer(),
    granted: integer(),
    /** When a held commission is granted. */
    release_at: integer().orNull(),
    /** Its current contribution to the figures. */
    counted: integer(),
    sales: integer(),
    discount: integer(),
    shipping: integer(),
    /** Copied from the order, so that a coupon's order list is read from one index. */
    placed_at: integer().default(0),
    /** 1 after the coupon was removed from the order: the coupon's list and counts omit the order. */
    dropped: integer().default(0),
    /** The field of the order that identified the coupon. */
    credited_by: text<CreditingField>().default('coupon_codes'),
    /** The click that converted. */
    click_id: integer().orNull(),
  })
    .key('order_id', 'coupon_id')
    // Without the orders that a coupon was removed from: lists and rebuilds read only this index. The last three
    // columns let lists filter by what an order earns without reading its row.
    .index(
      'by_coupon',
      ['coupon_id', 'day', 'placed_at', 'order_id', 'status', 'state', 'release_at', 'commission'],
      { where: 'dropped = 0' },
    )
    .index('held', ['coupon_id', 'release_at', 'awaiting'], { where: 'release_at is not null' })
    .index('by_commission', ['status', 'commission', 'order_id', 'placed_at'], {
      where: 'dropped = 0',
    })
    .added({
      /** The hash of the terms that rates are decided by when its order changes; null if made before terms were stored. */
      terms: text().orNull(),
      /** What rules asked of the moment in which the order first counted, JSON; null if they asked nothing. */
      facts: text().orNull(),
      /** 1 if the order is the first one of its customer that counts. */
      new_customer: integer().default(0),
    })
    .index('by_release', ['release_at'], { where: '"release_at" is not null' }),
  /** To which affiliate a customer belongs: the one of the earliest order that counts and was credited by a code or a link. */
  lifetime_customers: table({
    customer_hash: text().key(),
    coupon_id: integer().references('coupons.id'),
  }).added({
    /** When that order was placed: earlier orders are not credited by it. Null if unknown: then all are, for ever. */
    credited_at: integer().orNull(),
    user_id: integer().default(0),
    /** The later order from which the time of `attribution.lifetime_days` runs, if orders start it again. */
    extended_at: integer().orNull(),
    /** 1 if the team said so: an order that is learned later changes nothing. */
    is_assigned: integer().default(0),
  }),
  /** Which customers stores mean by their own ids, from orders that name an address as well. */
  customer_links: addedTable({
    /** The id of the connected store, or 0, and the keyed hash of the store's id. */
    key: text().key(),
    /** The customer with the address. */
    customer_hash: text(),
    mailbox_hash: text(),
  }),
  coupon_days: table({
    coupon_id: integer().references('coupons.id'),
    day: text(),
    ...counters('figures', 'statuses'),
    upline_commission: integer().default(0),
  })
    .key('coupon_id', 'day')
    .storedByKey()
    .index('by_day', ['day', 'coupon_id'])
    .added({
      ...counters('counters'),
    }),
  /** What of the days of a coupon is of affiliates who had it before; the rest is of its affiliate of today. */
  former_days: addedTable({
    coupon_id: integer().references('coupons.id'),
    user_id: integer(),
    day: text(),
    ...counters('figures', 'statuses', 'counters'),
    upline_commission: integer().default(0),
  })
    .key('coupon_id', 'user_id', 'day')
    .index('by_user', ['user_id', 'day'])
    .index('by_day', ['day']),
  store_days: table({
    day: text().key(),
    ...counters('figures'),
    upline_commission: integer().default(0),
  }),
  /** Progress of applying changed status settings to existing orders. */
  applied_statuses: table({
    name: text().key(),
    /** The settings being applied, JSON. */
    statuses: text(),
    /** When the last order that was checked was placed, and its number. */
    position: integer(),
    /** Number of orders changed so far. */
    changed: integer(),
    /** Null while in progress. */
    finished_at: integer().orNull(),
  }).added({
    position_order: integer().default(0),
  }),
  /** Distinct terms of referrals: the rates of a coupon, the rules and the settings of a moment. */
  terms: addedTable({
    /** Of the content. */
    hash: text().key(),
    content: text(),
  }),
  /** The payments of subscriptions: one row for each order that has counted. */
  subscription_payments: addedTable({
    /** The id of the connected store, or 0, and the store's id of the subscription. */
    key: text(),
    order_id: integer(),
    placed_at: integer(),
    /** Which payment it is, where the store says so. */
    number: integer().orNull(),
    /** 1 if the store says that it is not the first one. */
    is_renewal: integer(),
    /** The local day on which the subscription began, as the store says it; else the day of the payment. */
    started_on: text(),
  })
    .key('key', 'order_id')
    .storedByKey()
    // Which subscriptions are running.
    .index('by_time', ['placed_at', 'key'])
    .index('by_order', ['order_id']),
  /** Orders of a history that are stored and not decided yet: all of it is decided afterwards, oldest first. */
  waiting_orders: addedTable({
    order_id: integer().key(),
    /** The connected store that it comes from, or 0. */
    store_id: integer(),
    placed_at: integer(),
    stored_at: integer(),
    /** What deciding needs of its customer and is not kept, encrypted; null for an order that was decided before. */
    customer: text().orNull(),
  }).index('by_time', ['store_id', 'placed_at', 'order_id']),
  /** What referrals earned by rules that limit a sum. */
  limited_rewards: addedTable({
    order_id: integer(),
    coupon_id: integer(),
    rule_id: integer(),
    /** Whom the limit is for: `user 7`, or `customer` with the hash. */
    subject: text(),
    day: text(),
    amount: integer(),
  })
    .key('order_id', 'coupon_id', 'rule_id')
    .index('by_subject', ['rule_id', 'subject', 'day', 'amount']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
