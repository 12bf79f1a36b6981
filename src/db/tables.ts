import type { Generated } from 'kysely';
import type { OutboxTable } from './mail-tables.ts';
import type { PayoutDaysTable, PayoutDetailsTable, PayoutsTable } from './payout-tables.ts';
import type {
  AffiliatesTable,
  AppliedStatusesTable,
  ClickDaysTable,
  ClicksTable,
  CouponsTable,
  FigureColumns,
  GroupsTable,
  JournalTable,
  MlaSharesTable,
  OrdersTable,
  ReferralsTable,
  StatusColumns,
} from './program-tables.ts';
import type { RegistrationsTable } from './registration-tables.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from './webhook-tables.ts';

export * from './mail-tables.ts';
export * from './payout-tables.ts';
export * from './program-tables.ts';
export * from './registration-tables.ts';
export * from './webhook-tables.ts';

/**
 * The schema as statements see it. Poorest common types: instants are epoch milliseconds, flags
 * are 0 or 1, JSON and lists are text.
 */
export interface Tables {
  migrations: { name: string; applied_at: number };
  installation: { name: string; value: string };
  users: UsersTable;
  application_passwords: ApplicationPasswordsTable;
  sessions: SessionsTable;
  setup_links: SetupLinksTable;
  api_keys: ApiKeysTable;
  settings: { key: string; value: string; updated_at: number };
  events: EventsTable;
  /** Events that are not in the feed yet, where transactions do not commit in order. */
  incoming_events: Omit<EventsTable, 'kind_ordinal' | 'event_ordinal' | 'user_ordinal'>;
  cursors: { name: string; position: number };
  leases: { name: string; holder: string; until: number };
  groups: GroupsTable;
  affiliates: AffiliatesTable;
  affiliate_groups: { user_id: number; group_id: number };
  coupons: CouponsTable;
  journal: JournalTable;
  orders: OrdersTable;
  referrals: ReferralsTable;
  mla_shares: MlaSharesTable;
  lifetime_customers: { customer_hash: string; coupon_id: number };
  coupon_days: { coupon_id: number; day: string } & FigureColumns & StatusColumns;
  store_days: { day: string } & FigureColumns;
  applied_statuses: AppliedStatusesTable;
  clicks: ClicksTable;
  click_days: ClickDaysTable;
  idempotency_keys: IdempotencyKeysTable;
  payouts: PayoutsTable;
  payout_details: PayoutDetailsTable;
  payout_days: PayoutDaysTable;
  outbox: OutboxTable;
  registrations: RegistrationsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}

export interface UsersTable {
  id: Generated<number>;
  login: string;
  /** Lower case: logins and addresses are the same in any case. */
  login_folded: string;
  email: string;
  email_folded: string;
  display_name: string;
  /** Lower case: for searches. */
  display_name_folded: string;
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

/** First answers to requests that carry an `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  identity: string;
  /** A keyed hash of the route and the caller's key. */
  key: string;
  /** A keyed hash of what was asked. */
  request_hash: string;
  /** 0 while the key is reserved for a request that runs: the body is the name of the reservation. */
  status: number;
  /** Encrypted, as is the body: an answer may carry a secret that is shown once. */
  headers: string;
  body: string;
  created_at: number;
  expires_at: number;
}
