import type { Generated } from 'kysely';

/** The tables of the program: who earns what with which orders. */

/** Rates that stand in for the store's. Null is "not here"; a percentage keeps its digits as text. */
export interface RateColumns {
  percent: string | null;
  fixed_per_order: number | null;
  fixed_per_product: number | null;
}

export interface GroupsTable extends RateColumns {
  id: Generated<number>;
  name: string;
  name_folded: string;
  created_at: number;
}

export interface AffiliatesTable {
  user_id: number;
  status: string;
  /** What the affiliate told about itself, JSON. */
  profile: string;
  parent_id: number | null;
  registered_at: number;
}

/** Where an affiliate's money stands, in minor units: projections of the journal. */
export interface BalanceColumns {
  unpaid: Generated<number>;
  awaiting: Generated<number>;
  pending_payout: Generated<number>;
  paid: Generated<number>;
}

/** What orders add up to, in minor units: kept with every order. */
export interface FigureColumns {
  orders_count: Generated<number>;
  total_sales: Generated<number>;
  total_discount: Generated<number>;
  total_shipping: Generated<number>;
  /** Of its own referrals. */
  total_commission: Generated<number>;
  /** Shares of the referrals of affiliates below. */
  upline_commission: Generated<number>;
}

/** How many orders stand at each status, counted in statistics or not. */
export interface StatusColumns {
  n_pending: Generated<number>;
  n_processing: Generated<number>;
  n_on_hold: Generated<number>;
  n_completed: Generated<number>;
  n_cancelled: Generated<number>;
  n_refunded: Generated<number>;
  n_failed: Generated<number>;
}

export interface CouponsTable extends RateColumns, BalanceColumns, FigureColumns, StatusColumns {
  id: Generated<number>;
  code: string;
  code_folded: string;
  user_id: number | null;
  status: string;
  created_at: number;
  refreshed_at: number | null;
  /** Rises with every change of its orders and figures: what is cached in memory belongs to a version. */
  figures_version: Generated<number>;
}

/** One movement of money between two pools of a coupon: as much leaves one as enters the other. */
export interface JournalTable {
  id: Generated<number>;
  coupon_id: number;
  from_pool: string;
  to_pool: string;
  amount: number;
  kind: string;
  order_id: number | null;
  user_id: number;
  note: string;
  created_at: number;
  /** What the pools held after it: the running balances, written once. */
  unpaid_after: number;
  awaiting_after: number;
  pending_payout_after: number;
  paid_after: number;
}

/** A store's order. Amounts are minor units of the store's own currency. */
export interface OrdersTable {
  order_id: number;
  placed_at: number;
  day: string;
  status: string;
  /** The order's own currency. */
  currency: string;
  /** What one unit of it is worth in the store's, as the store sent it; null for the store's own. */
  exchange_rate: string | null;
  /** The store's own name for the order, where it has one besides the number. */
  external_id: string | null;
  total: number;
  discount: number;
  shipping: number;
  refunded: number;
  /** When the store last changed it, where the store tells: older versions are ignored. */
  modified_at: number | null;
  customer_hash: string | null;
  /** What the store said about the link that led to the order; the visitor only as a keyed hash. */
  click_id: number | null;
  visitor_hash: string | null;
  referral_code: string | null;
  /** The order as the store sent it, with hashes for customer and visitor: JSON with sorted keys. */
  content: string;
  created_at: number;
  updated_at: number;
}

/** What one coupon has of one order. */
export interface ReferralsTable {
  order_id: number;
  coupon_id: number;
  user_id: number;
  via: string;
  /** The field of the order that led to the coupon. */
  credited_by: string;
  /** The click it is a conversion of. */
  click_id: number | null;
  /** The rates it was made with, JSON: later rates do not touch it. */
  rates: string;
  day: string;
  /** When the order was placed: lists of a coupon's orders come from the index alone. */
  placed_at: number;
  status: string;
  /** What it earns now: 0 while the state is `void`. */
  commission: number;
  state: string;
  /** 1 after its coupon was taken off the order: the order is no longer in that coupon's list and counts. */
  dropped: number;
  /** What the journal holds for it now. */
  awaiting: number;
  granted: number;
  /** When a commission that is held back is granted. */
  release_at: number | null;
  /** What it adds to the figures now. */
  counted: number;
  sales: number;
  discount: number;
  shipping: number;
}

/** How far a change of the statuses that count has been applied to the orders from before. */
export interface AppliedStatusesTable {
  name: string;
  /** The settings that are applied, JSON. */
  statuses: string;
  /** The last order that was looked at. */
  position: number;
  /** How many orders the change concerned so far. */
  changed: number;
  /** Null while it is under way. */
  finished_at: number | null;
}

/** What one level above gets of one referral. */
export interface MlaSharesTable {
  order_id: number;
  coupon_id: number;
  /** 1 is the parent, 2 the parent's parent. */
  tier: number;
  upline_id: number;
  /** The account it is on. */
  upline_coupon_id: number;
  percent: string;
  amount: number;
  /** What the journal holds for it now. */
  awaiting: number;
  granted: number;
  /** The day of the order, and whether it counts: where the share is among the figures. */
  day: string;
  counted: number;
}

export interface ClicksTable {
  id: Generated<number>;
  coupon_id: number;
  campaign: string;
  visitor_hash: string | null;
  clicked_at: number;
  /** When it came in: stores send clicks of their history, too. */
  recorded_at: Generated<number>;
  day: string;
  /** The order it led to. */
  order_id: number | null;
}

export interface ClickDaysTable {
  coupon_id: number;
  campaign: string;
  day: string;
  clicks: Generated<number>;
  conversions: Generated<number>;
}
