import type { Generated } from 'kysely';
import { columnGroups } from '../../db/statements/columns.ts';
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
  /** When it first counted, and everything about it was decided; null while it is an estimate. */
  decided_at: number | null;
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
  /** What rules asked of the moment in which the order first counted, JSON; null if they asked nothing. */
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
  /** 1 if the order is the first one of its customer that counts. */
  new_customer: number;
}

/** Progress of applying changed status settings to existing orders. */
export interface AppliedStatusesTable {
  name: string;
  /** The settings being applied, JSON. */
  statuses: string;
  /** When the last order that was checked was placed, and its number. */
  position: number;
  position_order: number;
  /** Number of orders changed so far. */
  changed: number;
  /** Null while in progress. */
  finished_at: number | null;
}

/** To which affiliate a customer belongs: the one of the earliest order that counts and was credited by a code or a link. */
export interface LifetimeCustomersTable {
  customer_hash: string;
  coupon_id: number;
  user_id: number;
  /** When that order was placed: earlier orders are not credited by it. Null if unknown: then all are, for ever. */
  credited_at: number | null;
  /** The later order from which the time of `attribution.lifetime_days` runs, if orders start it again. */
  extended_at: number | null;
  /** 1 if the team said so: an order that is learned later changes nothing. */
  is_assigned: number;
}

/** Which customers stores mean by their own ids, from orders that name an address as well. */
export interface CustomerLinksTable {
  /** The id of the connected store, or 0, and the keyed hash of the store's id. */
  key: string;
  /** The customer with the address. */
  customer_hash: string;
  mailbox_hash: string;
}

/**
 * What steps and bonuses add up: of the orders that count, those that can earn, which own and rejected orders cannot, and
 * of these, those whose commission is payable or held.
 */
export const counterColumns = columnGroups.counters;
export type CounterColumn = (typeof counterColumns)[number];
type CounterColumns = Record<CounterColumn, Generated<number>>;

export interface CouponDaysTable extends FigureColumns, StatusColumns, CounterColumns {
  coupon_id: number;
  day: string;
}

/** What of the days of a coupon is of affiliates who had it before; the rest is of its affiliate of today. */
export interface FormerDaysTable extends CouponDaysTable {
  user_id: number;
}

/** Distinct terms of referrals: the rates of a coupon, the rules and the settings of a moment. */
export interface TermsTable {
  /** Of the content. */
  hash: string;
  content: string;
}

/** The payments of subscriptions: one row for each order that has counted. */
export interface SubscriptionPaymentsTable {
  /** The id of the connected store, or 0, and the store's id of the subscription. */
  key: string;
  order_id: number;
  placed_at: number;
  /** Which payment it is, where the store says so. */
  number: number | null;
  /** 1 if the store says that it is not the first one. */
  is_renewal: number;
  /** The local day on which the subscription began, as the store says it; else the day of the payment. */
  started_on: string;
}

/** Orders of a history that are stored and not decided yet: all of it is decided afterwards, oldest first. */
export interface WaitingOrdersTable {
  order_id: number;
  /** The connected store that it comes from, or 0. */
  store_id: number;
  placed_at: number;
  stored_at: number;
  /** What deciding needs of its customer and is not kept, encrypted; null for an order that was decided before. */
  customer: string | null;
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
    former_days: FormerDaysTable;
    store_days: StoreDaysTable;
    applied_statuses: AppliedStatusesTable;
    terms: TermsTable;
    subscription_payments: SubscriptionPaymentsTable;
    waiting_orders: WaitingOrdersTable;
    limited_rewards: LimitedRewardsTable;
  }
}
