import type { Generated } from 'kysely';
import type { OrderStatus } from './settings.ts';
import type { FigureColumns, StatusColumns } from '../coupons/index.ts';

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

/** Orders of the store. Amounts are minor units of the store's currency. */
export interface OrdersTable {
  order_id: number;
  placed_at: number;
  day: string;
  status: OrderStatus;
  /** The order's own currency. */
  currency: string;
  /** Value of one unit in the store's currency, as the store sent it; null for the store's currency. */
  exchange_rate: string | null;
  /** The store's own identifier, if it has one besides the number. */
  external_id: string | null;
  total: number;
  discount: number;
  shipping: number;
  refunded: number;
  /** When the store last changed it, if the store sends that: older versions are ignored. */
  modified_at: number | null;
  customer_hash: string | null;
  /** The store's tracking data for the link that led to the order; the visitor only as a keyed hash. */
  click_id: number | null;
  visitor_hash: string | null;
  referral_code: string | null;
  /** The order as the store sent it, with hashes for customer and visitor: JSON with sorted keys. */
  content: string;
  created_at: number;
  updated_at: number;
  /** The connected store that the order comes from; null if the store sends its orders itself. */
  store_id: number | null;
}

/** A referral attributes one order to one coupon. */
export interface ReferralsTable {
  order_id: number;
  coupon_id: number;
  user_id: number;
  via: Via;
  /** The field of the order that identified the coupon. */
  credited_by: CreditingField;
  /** The click that converted. */
  click_id: number | null;
  /** The rates that were decided for the lines of its order, JSON: later changes of rates do not affect them. */
  rates: string;
  /** The hash of the terms that rates are decided by when its order changes; null if made before terms were stored. */
  terms: string | null;
  /** What rules asked of the moment in which the order came in, JSON; null if they asked nothing. */
  facts: string | null;
  day: string;
  /** Copied from the order, so that a coupon's order list is read from one index. */
  placed_at: number;
  status: OrderStatus;
  /** Current commission: 0 while the state is `void`. */
  commission: number;
  state: ReferralState;
  /** 1 after the coupon was removed from the order: the coupon's list and counts omit the order. */
  dropped: number;
  /** Amounts currently posted to the ledger for it. */
  awaiting: number;
  granted: number;
  /** When a held commission is granted. */
  release_at: number | null;
  /** Its current contribution to the figures. */
  counted: number;
  sales: number;
  discount: number;
  shipping: number;
}

/** Progress of applying changed status settings to existing orders. */
export interface AppliedStatusesTable {
  name: string;
  /** The settings being applied, JSON. */
  statuses: string;
  /** The last order checked. */
  position: number;
  /** Number of orders changed so far. */
  changed: number;
  /** Null while in progress. */
  finished_at: number | null;
}

export interface LifetimeCustomersTable {
  customer_hash: string;
  coupon_id: number;
  /** When the order was placed from which the time of `attribution.lifetime_days` runs; null if unknown: it never ends. */
  credited_at: number | null;
}

/** Which customers stores mean by their own ids, from orders that name an address as well. */
export interface CustomerLinksTable {
  /** The id of the connected store, or 0, and the keyed hash of the store's id. */
  key: string;
  /** The customer with the address. */
  customer_hash: string;
  mailbox_hash: string;
}

/** Of the orders that count, those whose commission is payable or held: for steps and bonuses. */
export const grantedColumns = ['granted_orders', 'granted_sales', 'granted_commission'] as const;
type GrantedColumns = Record<(typeof grantedColumns)[number], Generated<number>>;

export interface CouponDaysTable extends FigureColumns, StatusColumns, GrantedColumns {
  coupon_id: number;
  day: string;
}

/** Distinct terms of referrals: the rates of a coupon, the rules and the settings of a moment. */
export interface TermsTable {
  /** Of the content. */
  hash: string;
  content: string;
}

/** Subscriptions by their first known payment, whose affiliate gets the renewals. */
export interface SubscriptionsTable {
  /** The id of the connected store, or 0, and the store's id of the subscription. */
  key: string;
  order_id: number;
  /** The local day on which it began. */
  started_on: string;
  /** The highest number of a payment so far. */
  payments: number;
  /** The payment that was stored last; null only in rows of earlier versions. */
  last_order_id: number | null;
  last_paid_at: number | null;
}

/** What referrals earned by rules that limit a sum. */
export interface LimitedRewardsTable {
  order_id: number;
  coupon_id: number;
  rule_id: number;
  /** Whom the limit is for: `user 7`, or `customer` with the hash. */
  subject: string;
  day: string;
  amount: number;
}

export interface StoreDaysTable extends FigureColumns {
  day: string;
}

declare module '../../db/tables.ts' {
  interface Tables {
    orders: OrdersTable;
    referrals: ReferralsTable;
    lifetime_customers: LifetimeCustomersTable;
    customer_links: CustomerLinksTable;
    coupon_days: CouponDaysTable;
    store_days: StoreDaysTable;
    applied_statuses: AppliedStatusesTable;
    terms: TermsTable;
    subscriptions: SubscriptionsTable;
    limited_rewards: LimitedRewardsTable;
  }
}
