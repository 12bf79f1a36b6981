import type { Generated } from 'kysely';

/**
 * The schema as statements see it. Poorest common types: instants are epoch milliseconds, flags
 * are 0 or 1, JSON and lists are text.
 */
export interface Tables {
  migrations: { name: string; applied_at: number };
  users: UsersTable;
  application_passwords: ApplicationPasswordsTable;
  sessions: SessionsTable;
  setup_links: SetupLinksTable;
  api_keys: ApiKeysTable;
  settings: { key: string; value: string; updated_at: number };
  events: EventsTable;
  cursors: { name: string; position: number };
  leases: { name: string; holder: string; until: number };
  groups: GroupsTable;
  affiliates: AffiliatesTable;
  affiliate_groups: { user_id: number; group_id: number };
  coupons: CouponsTable;
  journal: JournalTable;
  orders: OrdersTable;
  referrals: ReferralsTable;
  lifetime_customers: { customer_hash: string; coupon_id: number };
  coupon_days: { coupon_id: number; day: string } & FigureColumns & StatusColumns;
  store_days: { day: string } & FigureColumns;
  clicks: ClicksTable;
  click_days: ClickDaysTable;
  idempotency_keys: IdempotencyKeysTable;
}

export interface UsersTable {
  id: Generated<number>;
  login: string;
  /** Lower case: logins and addresses are the same in any case. */
  login_folded: string;
  email: string;
  email_folded: string;
  display_name: string;
  role: string;
  password_hash: string | null;
  created_at: number;
}

export interface ApplicationPasswordsTable {
  id: Generated<number>;
  user_id: number;
  description: string;
  password_hash: string;
  created_at: number;
  revoked_at: number | null;
}

export interface SessionsTable {
  token_hash: string;
  user_id: number;
  created_at: number;
  seen_at: number;
}

export interface SetupLinksTable {
  token_hash: string;
  expires_at: number;
}

export interface ApiKeysTable {
  id: Generated<number>;
  user_id: number;
  description: string;
  key_prefix: string;
  token_hash: string;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface EventsTable {
  id: Generated<number>;
  kind: string;
  event: string;
  object_id: number;
  user_id: number;
  info: string;
  data: string;
  created_at: number;
  /** The how-manieth of its kind, of its name, of its user: totals without counting rows. */
  kind_ordinal: number;
  event_ordinal: number;
  user_ordinal: number;
}

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
  total_commission: Generated<number>;
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
  currency: string;
  total: number;
  discount: number;
  shipping: number;
  refunded: number;
  /** When the store last changed it, where the store tells: older versions are ignored. */
  modified_at: number | null;
  customer_hash: string | null;
  /** The order as the store sent it, without the customer: JSON with sorted keys. */
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
  /** The rates it was made with, JSON: later rates do not touch it. */
  rates: string;
  day: string;
  status: string;
  commission: number;
  state: string;
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

export interface ClicksTable {
  id: Generated<number>;
  coupon_id: number;
  campaign: string;
  visitor_hash: string | null;
  clicked_at: number;
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

/** First answers to requests that carry an `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  identity: string;
  /** A keyed hash of the route and the caller's key. */
  key: string;
  /** A keyed hash of what was asked. */
  request_hash: string;
  status: number;
  /** Encrypted, as is the body: an answer may carry a secret that is shown once. */
  headers: string;
  body: string;
  created_at: number;
}
