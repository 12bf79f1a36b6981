CREATE TABLE "account_links" (
  "token_hash" text primary key,
  "user_id" integer not null references "users" ("id"),
  "purpose" text not null,
  "data" text not null,
  "created_at" integer not null,
  "expires_at" integer not null,
  "ended_at" integer,
  "network_hash" text default '' not null
);

CREATE TABLE "affiliate_groups" (
  "user_id" integer not null references "users" ("id"),
  "group_id" integer not null references "groups" ("id"),
  constraint "affiliate_groups_key" primary key ("user_id", "group_id")
);

CREATE TABLE "affiliate_notes" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "author_id" integer not null,
  "text" text not null,
  "created_at" integer not null
);

CREATE TABLE "affiliate_tags" (
  "user_id" integer not null references "users" ("id"),
  "tag_id" integer not null references "tags" ("id"),
  constraint "affiliate_tags_key" primary key ("user_id", "tag_id")
);

CREATE TABLE "affiliates" (
  "user_id" integer primary key references "users" ("id"),
  "status" text not null,
  "profile" text not null,
  "parent_id" integer references "users" ("id"),
  "registered_at" integer not null
);

CREATE TABLE "announcement_receivers" (
  "announcement_id" integer not null references "announcements" ("id"),
  "user_id" integer not null references "users" ("id"),
  "state" text not null,
  "error" text not null,
  "updated_at" integer not null,
  "read_at" integer,
  constraint "announcement_receivers_key" primary key ("announcement_id", "user_id")
);

CREATE TABLE "announcements" (
  "id" integer primary key autoincrement,
  "state" text not null,
  "texts" text not null,
  "segment" text not null,
  "by_mail" integer not null,
  "in_portal" integer not null,
  "send_at" integer,
  "created_at" integer not null,
  "created_by" integer not null,
  "started_at" integer,
  "ended_at" integer,
  "position" integer,
  "receivers" integer default 0 not null,
  "queued" integer default 0 not null,
  "sent" integer default 0 not null,
  "failed" integer default 0 not null,
  "unknown" integer default 0 not null,
  "muted" integer default 0 not null,
  "unsubscribed" integer default 0 not null
);

CREATE TABLE "api_keys" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "description" text not null,
  "key_prefix" text not null,
  "token_hash" text not null unique,
  "scopes" text not null,
  "created_at" integer not null,
  "expires_at" integer,
  "revoked_at" integer,
  "last_used_at" integer
);

CREATE TABLE "application_passwords" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "description" text not null,
  "password_hash" text not null unique,
  "created_at" integer not null,
  "revoked_at" integer
);

CREATE TABLE "applied_statuses" (
  "name" text primary key,
  "statuses" text not null,
  "position" integer not null,
  "changed" integer not null,
  "finished_at" integer,
  "position_order" integer default 0 not null
);

CREATE TABLE "bonus_checks" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "object_id" integer not null,
  "day" text not null,
  "due_at" integer not null
);

CREATE TABLE "bonus_payments" (
  "bonus_id" integer not null,
  "user_id" integer not null references "users" ("id"),
  "window_first" text not null,
  "coupon_id" integer not null references "coupons" ("id"),
  "amount" integer not null,
  "state" text not null,
  "goal" text,
  "reached_at" integer not null,
  "release_at" integer,
  "reason" text not null,
  constraint "bonus_payments_key" primary key ("bonus_id", "user_id", "window_first")
);

CREATE TABLE "brand_logos" (
  "name" text primary key,
  "content" text not null,
  "width" integer not null,
  "height" integer not null
);

CREATE TABLE "campaign_days" (
  "day" text not null,
  "campaign" text not null,
  "clicks" integer default 0 not null,
  "conversions" integer default 0 not null,
  constraint "campaign_days_key" primary key ("day", "campaign")
);

CREATE TABLE "click_days" (
  "coupon_id" integer not null references "coupons" ("id"),
  "campaign" text not null,
  "day" text not null,
  "clicks" integer default 0 not null,
  "conversions" integer default 0 not null,
  "roster_due" integer default 0 not null,
  constraint "click_days_key" primary key ("coupon_id", "day", "campaign")
);

CREATE TABLE "click_months" (
  "coupon_id" integer not null references "coupons" ("id"),
  "month" text not null,
  "clicks" integer not null,
  "conversions" integer not null,
  constraint "click_months_key" primary key ("coupon_id", "month")
) without rowid;

CREATE TABLE "clicks" (
  "id" integer primary key autoincrement,
  "coupon_id" integer not null references "coupons" ("id"),
  "campaign" text not null,
  "visitor_hash" text,
  "clicked_at" integer not null,
  "day" text not null,
  "order_id" integer,
  "recorded_at" integer default 0 not null,
  "source" text
);

CREATE TABLE "coupon_days" (
  "coupon_id" integer not null references "coupons" ("id"),
  "day" text not null,
  "orders_count" integer default 0 not null,
  "total_sales" integer default 0 not null,
  "total_discount" integer default 0 not null,
  "total_shipping" integer default 0 not null,
  "total_commission" integer default 0 not null,
  "n_pending" integer default 0 not null,
  "n_processing" integer default 0 not null,
  "n_on_hold" integer default 0 not null,
  "n_completed" integer default 0 not null,
  "n_cancelled" integer default 0 not null,
  "n_refunded" integer default 0 not null,
  "n_failed" integer default 0 not null,
  "upline_commission" integer default 0 not null,
  "earning_orders" integer default 0 not null,
  "earning_sales" integer default 0 not null,
  "new_customers" integer default 0 not null,
  "granted_orders" integer default 0 not null,
  "granted_sales" integer default 0 not null,
  "granted_commission" integer default 0 not null,
  "granted_customers" integer default 0 not null,
  constraint "coupon_days_key" primary key ("coupon_id", "day")
) without rowid;

CREATE TABLE "coupon_owners" (
  "id" integer primary key autoincrement,
  "coupon_id" integer not null references "coupons" ("id"),
  "user_id" integer references "users" ("id"),
  "since" integer not null,
  "until" integer
);

CREATE TABLE "coupons" (
  "id" integer primary key autoincrement,
  "code" text not null,
  "code_folded" text not null,
  "user_id" integer references "users" ("id"),
  "status" text not null,
  "percent" text,
  "fixed_per_order" integer,
  "fixed_per_product" integer,
  "created_at" integer not null,
  "refreshed_at" integer,
  "unpaid" integer default 0 not null,
  "awaiting" integer default 0 not null,
  "pending_payout" integer default 0 not null,
  "paid" integer default 0 not null,
  "orders_count" integer default 0 not null,
  "total_sales" integer default 0 not null,
  "total_discount" integer default 0 not null,
  "total_shipping" integer default 0 not null,
  "total_commission" integer default 0 not null,
  "n_pending" integer default 0 not null,
  "n_processing" integer default 0 not null,
  "n_on_hold" integer default 0 not null,
  "n_completed" integer default 0 not null,
  "n_cancelled" integer default 0 not null,
  "n_refunded" integer default 0 not null,
  "n_failed" integer default 0 not null,
  "figures_version" integer default 0 not null,
  "upline_commission" integer default 0 not null,
  "roster_due" integer default 1 not null,
  "roster_user_id" integer,
  "discount" text,
  "owned_since" integer
);

CREATE TABLE "creative_affiliates" (
  "creative_id" integer not null references "creatives" ("id") on delete cascade,
  "user_id" integer not null references "users" ("id"),
  constraint "creative_affiliates_key" primary key ("creative_id", "user_id")
);

CREATE TABLE "creative_days" (
  "creative_id" integer not null,
  "day" text not null,
  "clicks" integer not null,
  "conversions" integer not null,
  constraint "creative_days_key" primary key ("creative_id", "day")
) without rowid;

CREATE TABLE "creative_groups" (
  "creative_id" integer not null references "creatives" ("id") on delete cascade,
  "group_id" integer not null references "groups" ("id"),
  constraint "creative_groups_key" primary key ("creative_id", "group_id")
);

CREATE TABLE "creatives" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "name" text not null,
  "category" text not null,
  "description" text not null,
  "language" text not null,
  "alt" text not null,
  "text" text not null,
  "url" text not null,
  "file_id" integer references "files" ("id") on delete set null,
  "audience" text not null,
  "from_day" text not null,
  "to_day" text not null,
  "created_at" integer not null,
  "updated_at" integer not null
);

CREATE TABLE "cursors" (
  "name" text primary key,
  "position" integer not null
);

CREATE TABLE "customer_links" (
  "key" text primary key,
  "customer_hash" text not null,
  "mailbox_hash" text not null
);

CREATE TABLE "earned_mails" (
  "id" integer primary key,
  "started_at" integer not null,
  "since" integer not null,
  "until" integer,
  "after_user" integer not null
);

CREATE TABLE "events" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "event" text not null,
  "object_id" integer not null,
  "user_id" integer not null,
  "info" text not null,
  "data" text not null,
  "created_at" integer not null,
  "kind_ordinal" integer not null,
  "event_ordinal" integer not null,
  "user_ordinal" integer not null
);

CREATE TABLE "file_days" (
  "user_id" integer primary key references "users" ("id"),
  "day" text not null,
  "bytes" integer not null
);

CREATE TABLE "files" (
  "id" integer primary key autoincrement,
  "key" text not null unique,
  "name" text not null,
  "type" text not null,
  "bytes" integer not null,
  "sha256" text not null,
  "width" integer,
  "height" integer,
  "small_bytes" integer not null,
  "access" text not null,
  "user_id" integer references "users" ("id"),
  "state" text not null,
  "created_at" integer not null
);

CREATE TABLE "former_accounts" (
  "coupon_id" integer not null references "coupons" ("id"),
  "user_id" integer not null,
  "unpaid" integer default 0 not null,
  "awaiting" integer default 0 not null,
  "pending_payout" integer default 0 not null,
  "paid" integer default 0 not null,
  constraint "former_accounts_key" primary key ("coupon_id", "user_id")
);

CREATE TABLE "former_clicks" (
  "coupon_id" integer not null references "coupons" ("id"),
  "kind" text not null,
  "day" text not null,
  "name" text not null,
  "user_id" integer not null,
  "clicks" integer not null,
  "conversions" integer not null,
  constraint "former_clicks_key" primary key ("coupon_id", "kind", "day", "name", "user_id")
) without rowid;

CREATE TABLE "former_days" (
  "coupon_id" integer not null references "coupons" ("id"),
  "user_id" integer not null,
  "day" text not null,
  "orders_count" integer default 0 not null,
  "total_sales" integer default 0 not null,
  "total_discount" integer default 0 not null,
  "total_shipping" integer default 0 not null,
  "total_commission" integer default 0 not null,
  "n_pending" integer default 0 not null,
  "n_processing" integer default 0 not null,
  "n_on_hold" integer default 0 not null,
  "n_completed" integer default 0 not null,
  "n_cancelled" integer default 0 not null,
  "n_refunded" integer default 0 not null,
  "n_failed" integer default 0 not null,
  "earning_orders" integer default 0 not null,
  "earning_sales" integer default 0 not null,
  "new_customers" integer default 0 not null,
  "granted_orders" integer default 0 not null,
  "granted_sales" integer default 0 not null,
  "granted_commission" integer default 0 not null,
  "granted_customers" integer default 0 not null,
  "upline_commission" integer default 0 not null,
  constraint "former_days_key" primary key ("coupon_id", "user_id", "day")
);

CREATE TABLE "groups" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "name_folded" text not null unique,
  "percent" text,
  "fixed_per_order" integer,
  "fixed_per_product" integer,
  "created_at" integer not null,
  "discount" text
);

CREATE TABLE "idempotency_keys" (
  "identity" text not null,
  "key" text not null,
  "request_hash" text not null,
  "status" integer not null,
  "headers" text not null,
  "body" text not null,
  "created_at" integer not null,
  "expires_at" integer default 0 not null,
  constraint "idempotency_keys_key" primary key ("identity", "key")
);

CREATE TABLE "import_history" (
  "id" integer primary key autoincrement,
  "import_id" integer not null references "imports" ("id"),
  "system" text not null,
  "kind" text not null,
  "external_id" text not null,
  "user_id" integer not null references "users" ("id"),
  "state" text not null,
  "amount" integer not null,
  "sale" integer,
  "reference" text not null,
  "happened_at" integer
);

CREATE TABLE "import_links" (
  "id" integer primary key autoincrement,
  "import_id" integer not null references "imports" ("id"),
  "system" text not null,
  "kind" text not null,
  "external_id" text not null,
  "user_id" integer not null references "users" ("id"),
  "coupon_id" integer,
  "created" integer not null,
  "amount" integer default 0 not null,
  "entry_id" integer,
  "undone_entry_id" integer
);

CREATE TABLE "import_rules" (
  "id" integer primary key autoincrement,
  "import_id" integer not null references "imports" ("id"),
  "rule_id" integer not null,
  "version" integer not null
);

CREATE TABLE "imports" (
  "id" integer primary key autoincrement,
  "system" text not null,
  "state" text not null,
  "files" text not null,
  "digest" text not null,
  "pieces" integer default 0 not null,
  "created_at" integer not null,
  "ended_at" integer,
  "affiliates" integer default 0 not null,
  "coupons" integer default 0 not null,
  "balance" integer default 0 not null,
  "records" integer default 0 not null,
  "kept" integer default 0 not null,
  "run_by" text default '' not null,
  "reason" text default '' not null,
  "undo_by" integer,
  "rules" integer default 0 not null
);

CREATE TABLE "installation" (
  "name" text primary key,
  "value" text not null
);

CREATE TABLE "landing_days" (
  "day" text not null,
  "path" text not null,
  "clicks" integer not null,
  constraint "landing_days_key" primary key ("day", "path")
);

CREATE TABLE "leaderboard_names" (
  "user_id" integer primary key references "users" ("id"),
  "agreed_at" integer not null
);

CREATE TABLE "leases" (
  "name" text primary key,
  "holder" text not null,
  "until" integer not null
);

CREATE TABLE "ledger" (
  "id" integer primary key autoincrement,
  "coupon_id" integer not null references "coupons" ("id"),
  "from_pool" text not null,
  "to_pool" text not null,
  "amount" integer not null check (amount > 0),
  "kind" text not null,
  "order_id" integer,
  "user_id" integer not null,
  "note" text not null,
  "created_at" integer not null,
  "unpaid_after" integer not null,
  "awaiting_after" integer not null,
  "pending_payout_after" integer not null,
  "paid_after" integer not null,
  "payout_id" integer,
  "case_id" integer,
  "owner_id" integer default -1 not null,
  "other_owner_id" integer
);

CREATE TABLE "lifetime_customers" (
  "customer_hash" text primary key,
  "coupon_id" integer not null references "coupons" ("id"),
  "credited_at" integer,
  "user_id" integer default 0 not null,
  "extended_at" integer,
  "is_assigned" integer default 0 not null
);

CREATE TABLE "limited_rewards" (
  "order_id" integer not null,
  "coupon_id" integer not null,
  "rule_id" integer not null,
  "subject" text not null,
  "day" text not null,
  "amount" integer not null,
  constraint "limited_rewards_key" primary key ("order_id", "coupon_id", "rule_id")
);

CREATE TABLE "mail_texts" (
  "name" text not null,
  "language" text not null,
  "subject" text not null,
  "text" text not null,
  "updated_at" integer not null,
  "updated_by" integer not null references "users" ("id"),
  constraint "mail_texts_key" primary key ("name", "language")
);

CREATE TABLE "message_files" (
  "file_id" integer primary key references "files" ("id") on delete cascade,
  "message_id" integer not null references "messages" ("id") on delete cascade
);

CREATE TABLE "message_threads" (
  "user_id" integer primary key references "users" ("id"),
  "messages" integer not null,
  "last_id" integer not null,
  "team_read_id" integer not null,
  "affiliate_read_id" integer not null,
  "team_unread" integer not null,
  "affiliate_unread" integer not null,
  "team_mail_at" integer,
  "affiliate_mail_at" integer,
  "team_mailed_at" integer not null,
  "affiliate_mailed_at" integer not null,
  "sent_day" text not null,
  "sent_messages" integer not null
);

CREATE TABLE "messages" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "side" text not null,
  "author_id" integer not null,
  "text" text not null,
  "created_at" integer not null
);

CREATE TABLE "migrations" (
  "name" text primary key,
  "applied_at" integer not null
);

CREATE TABLE "mla_shares" (
  "order_id" integer not null,
  "coupon_id" integer not null references "coupons" ("id"),
  "tier" integer not null,
  "upline_id" integer not null references "users" ("id"),
  "upline_coupon_id" integer not null references "coupons" ("id"),
  "percent" text not null,
  "amount" integer not null,
  "awaiting" integer not null,
  "granted" integer not null,
  "day" text default '' not null,
  "counted" integer default 0 not null,
  "release_at" integer,
  constraint "mla_shares_key" primary key ("order_id", "coupon_id", "tier")
);

CREATE TABLE "order_sources" (
  "order_id" integer not null,
  "coupon_id" integer not null,
  "click_id" integer not null,
  "creative_id" integer,
  "sub1" text not null,
  "sub2" text not null,
  "sub3" text not null,
  "sub4" text not null,
  "sub5" text not null,
  constraint "order_sources_key" primary key ("order_id", "coupon_id")
) without rowid;

CREATE TABLE "orders" (
  "order_id" integer primary key,
  "placed_at" integer not null,
  "day" text not null,
  "status" text not null,
  "currency" text not null,
  "total" integer not null,
  "discount" integer not null,
  "shipping" integer not null,
  "refunded" integer not null,
  "modified_at" integer,
  "customer_hash" text,
  "content" text not null,
  "created_at" integer not null,
  "updated_at" integer not null,
  "exchange_rate" text,
  "external_id" text,
  "click_id" integer,
  "visitor_hash" text,
  "referral_code" text,
  "store_id" integer,
  "decided_at" integer,
  "number" text
);

CREATE TABLE "outbox" (
  "id" integer primary key autoincrement,
  "template" text not null,
  "to_address" text not null,
  "to_name" text not null,
  "subject" text not null,
  "text" text not null,
  "html" text not null,
  "key" text not null unique,
  "state" text not null,
  "attempts" integer default 0 not null,
  "next_attempt_at" integer not null,
  "last_error" text default '' not null,
  "created_at" integer not null,
  "sent_at" integer,
  "link" text,
  "unsubscribe" text,
  "answered" integer default 0 not null
);

CREATE TABLE "passkey_challenges" (
  "challenge_hash" text primary key,
  "user_id" integer not null,
  "expires_at" integer not null
);

CREATE TABLE "passkeys" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "name" text not null,
  "credential_id" text not null unique,
  "public_key" text not null,
  "counter" integer not null,
  "transports" text not null,
  "created_at" integer not null,
  "last_used_at" integer
);

CREATE TABLE "payout_calls" (
  "id" integer primary key autoincrement,
  "payout_id" integer not null references "payouts" ("id"),
  "act" text not null,
  "outcome" text not null,
  "code" text not null,
  "reason" text not null,
  "transaction_id" text not null,
  "times" integer not null,
  "first_at" integer not null,
  "last_at" integer not null
);

CREATE TABLE "payout_changes" (
  "id" integer primary key autoincrement,
  "payout_id" integer not null references "payouts" ("id"),
  "status" text not null,
  "changed_at" integer not null,
  "mail" text default '' not null,
  "occasion" text default '' not null
);

CREATE TABLE "payout_days" (
  "basis" text not null,
  "day" text not null,
  "status" text not null,
  "payouts" integer default 0 not null,
  "amount" integer default 0 not null,
  constraint "payout_days_key" primary key ("basis", "day", "status")
);

CREATE TABLE "payout_details" (
  "user_id" integer primary key references "users" ("id"),
  "method_type" text not null,
  "details" text not null,
  "updated_at" integer not null,
  "destination_hash" text not null
);

CREATE TABLE "payout_file_items" (
  "file_id" integer not null references "payout_files" ("id"),
  "payout_id" integer not null references "payouts" ("id"),
  constraint "payout_file_items_key" primary key ("file_id", "payout_id")
);

CREATE TABLE "payout_files" (
  "id" integer primary key autoincrement,
  "format" text not null,
  "name" text not null,
  "payouts" integer not null,
  "total" integer not null,
  "created_at" integer not null,
  "created_by" integer not null,
  "content" text not null
);

CREATE TABLE "payouts" (
  "id" integer primary key autoincrement,
  "coupon_id" integer not null references "coupons" ("id"),
  "user_id" integer not null references "users" ("id"),
  "amount" integer not null,
  "method_type" text not null,
  "method" text not null,
  "status" text not null,
  "details" text,
  "transaction_id" text not null,
  "invoice_id" integer not null,
  "requested_at" integer not null,
  "requested_day" text not null,
  "paid_at" integer,
  "paid_day" text,
  "nonce" text not null,
  "ask_at" integer,
  "asks" integer not null,
  "leased_until" integer not null,
  "pay_attempts" integer not null,
  "unclear_since" integer,
  "unclear_reason" text,
  "reported_at" integer,
  "failure_code" text,
  "failure_message" text,
  "begun_at" integer,
  "changed_at" integer default 0 not null,
  "retry_of" integer references "payouts" ("id")
);

CREATE TABLE "personal_pages" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "state" text not null,
  "name" text not null,
  "text" text not null,
  "language" text not null,
  "file_id" integer references "files" ("id") on delete set null,
  "reason" text not null,
  "created_at" integer not null
);

CREATE TABLE "postback_deliveries" (
  "id" integer primary key autoincrement,
  "state" text not null,
  "attempts" integer default 0 not null,
  "attempts_before" integer default 0 not null,
  "due_at" integer,
  "code" integer,
  "error" text default '' not null,
  "queued_at" integer not null,
  "attempted_at" integer,
  "duration_ms" integer,
  "postback_id" integer not null references "postbacks" ("id"),
  "order_id" integer not null,
  "event_id" integer not null,
  "event" text not null,
  "data" text not null,
  "occurred_at" integer not null
);

CREATE TABLE "postbacks" (
  "id" integer primary key autoincrement,
  "url" text not null,
  "status" text not null,
  "failures" integer default 0 not null,
  "failing_since" integer,
  "paused_until" integer default 0 not null,
  "last_delivery_at" integer,
  "last_error" text default '' not null,
  "user_id" integer not null references "users" ("id"),
  "method" text not null,
  "format" text not null,
  "events" text not null,
  "secret" text not null,
  "from_event" integer not null,
  "replay_after" integer,
  "created_at" integer not null
);

CREATE TABLE "recovery_codes" (
  "user_id" integer not null references "users" ("id"),
  "code_hash" text not null,
  constraint "recovery_codes_key" primary key ("user_id", "code_hash")
);

CREATE TABLE "referrals" (
  "order_id" integer not null references "orders" ("order_id"),
  "coupon_id" integer not null references "coupons" ("id"),
  "user_id" integer not null,
  "via" text not null,
  "rates" text not null,
  "day" text not null,
  "status" text not null,
  "commission" integer not null,
  "state" text not null,
  "awaiting" integer not null,
  "granted" integer not null,
  "release_at" integer,
  "counted" integer not null,
  "sales" integer not null,
  "discount" integer not null,
  "shipping" integer not null,
  "placed_at" integer default 0 not null,
  "dropped" integer default 0 not null,
  "credited_by" text default 'coupon_codes' not null,
  "click_id" integer,
  "terms" text,
  "facts" text,
  "new_customer" integer default 0 not null,
  constraint "referrals_key" primary key ("order_id", "coupon_id")
);

CREATE TABLE "registration_messages" (
  "id" integer primary key autoincrement,
  "registration_id" integer not null references "registrations" ("id"),
  "author_id" integer not null references "users" ("id"),
  "text" text not null,
  "created_at" integer not null
);

CREATE TABLE "registration_words" (
  "word" text not null,
  "registration_id" integer not null,
  constraint "registration_words_key" primary key ("word", "registration_id")
);

CREATE TABLE "registrations" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "coupon_code" text not null,
  "status" text not null,
  "type" text not null,
  "promote" text not null,
  "referrer" text not null,
  "website" text not null,
  "custom_fields" text not null,
  "message" text default '' not null,
  "created_at" integer not null,
  "accepted_at" integer,
  "declined_at" integer,
  "decline_reason" text default '' not null,
  "decline_note" text default '' not null,
  "mail_pattern" text default '' not null,
  "mail_domain" text default '' not null,
  "website_place" text default '' not null,
  "network_hash" text default '' not null,
  "decided_by" integer
);

CREATE TABLE "report_mails" (
  "id" integer primary key,
  "interval" text not null,
  "done_to" text not null,
  "run_to" text,
  "after_user" integer not null
);

CREATE TABLE "report_views" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id"),
  "name" text not null,
  "query" text not null
);

CREATE TABLE "review_cases" (
  "id" integer primary key autoincrement,
  "state" text not null,
  "rule" text not null,
  "subject_type" text not null,
  "subject_id" text not null,
  "user_id" integer references "users" ("id"),
  "evidence" text not null,
  "held" integer not null,
  "answer" text,
  "answered_at" integer,
  "answer_file" text,
  "opened_at" integer not null,
  "decided_at" integer,
  "decided_by" integer,
  "note" text not null,
  "tell" integer not null,
  "suspended" integer not null,
  "reopened_at" integer,
  "reminded_at" integer,
  "holds_new" integer default 0 not null
);

CREATE TABLE "review_click_traces" (
  "click_id" integer primary key references "clicks" ("id") on delete cascade,
  "coupon_id" integer not null,
  "recorded_at" integer not null,
  "referrer" text not null,
  "ads" text not null,
  "network_hash" text
);

CREATE TABLE "review_devices" (
  "user_id" integer not null references "users" ("id"),
  "device_hash" text not null,
  "network_hash" text not null,
  "recorded_at" integer not null,
  constraint "review_devices_key" primary key ("user_id", "device_hash", "network_hash")
);

CREATE TABLE "review_history" (
  "id" integer primary key autoincrement,
  "case_id" integer not null references "review_cases" ("id"),
  "at" integer not null,
  "actor_id" integer not null,
  "action" text not null,
  "note" text not null
);

CREATE TABLE "review_holds" (
  "case_id" integer not null references "review_cases" ("id"),
  "order_id" integer not null,
  "coupon_id" integer not null,
  constraint "review_holds_key" primary key ("case_id", "order_id", "coupon_id")
);

CREATE TABLE "review_order_traces" (
  "order_id" integer primary key,
  "domain_hash" text not null,
  "recorded_at" integer not null
);

CREATE TABLE "review_payouts" (
  "case_id" integer not null references "review_cases" ("id"),
  "payout_id" integer not null,
  constraint "review_payouts_key" primary key ("payout_id", "case_id")
);

CREATE TABLE "review_referrals" (
  "order_id" integer not null,
  "coupon_id" integer not null,
  "restraint" text not null,
  "state" text not null,
  "release_at" integer,
  "commission" integer not null,
  constraint "review_referrals_key" primary key ("order_id", "coupon_id")
);

CREATE TABLE "reward_bonuses" (
  "id" integer primary key autoincrement,
  "position" integer not null,
  "content" text not null,
  "version" integer not null,
  "created_at" integer not null,
  "updated_at" integer not null
);

CREATE TABLE "reward_changes" (
  "id" integer primary key autoincrement,
  "before" text not null,
  "after" text,
  "began_at" integer,
  "changed_at" integer not null,
  "after_user" integer default 0 not null
);

CREATE TABLE "reward_rules" (
  "id" integer primary key autoincrement,
  "position" integer not null,
  "content" text not null,
  "version" integer not null,
  "created_at" integer not null,
  "updated_at" integer not null
);

CREATE TABLE "reward_trials" (
  "id" integer primary key autoincrement,
  "state" text not null,
  "plan" text not null,
  "progress" integer default 0 not null,
  "result" text,
  "holder" text default '' not null,
  "seen_at" integer not null,
  "created_at" integer not null
);

CREATE TABLE "roster" (
  "user_id" integer primary key references "users" ("id"),
  "name" text not null,
  "status" text not null,
  "registered_at" integer not null,
  "sales" integer not null,
  "commission" integer not null,
  "unpaid" integer not null,
  "orders_count" integer not null,
  "clicks" integer not null,
  "last_order_at" integer not null,
  "words" text not null,
  "highest_unpaid" integer default 0 not null
);

CREATE TABLE "roster_words" (
  "word" text not null,
  "user_id" integer not null references "roster" ("user_id"),
  constraint "roster_words_key" primary key ("word", "user_id")
);

CREATE TABLE "series" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "starts_on" text not null,
  "idle_days" integer,
  "ends_on_order" integer not null,
  "active" integer not null,
  "activated_at" integer,
  "position" text default '' not null,
  "replan" text,
  "entered" integer default 0 not null,
  "completed" integer default 0 not null,
  "left_early" integer default 0 not null,
  "removed_at" integer,
  "created_at" integer not null,
  "created_by" integer not null
);

CREATE TABLE "series_members" (
  "series_id" integer not null references "series" ("id"),
  "user_id" integer not null references "users" ("id"),
  "state" text not null,
  "reason" text not null,
  "entered_at" integer not null,
  "due_at" integer,
  "days" integer not null,
  "ended_at" integer,
  constraint "series_members_key" primary key ("series_id", "user_id")
);

CREATE TABLE "series_steps" (
  "announcement_id" integer primary key references "announcements" ("id"),
  "series_id" integer not null references "series" ("id"),
  "after_days" integer not null,
  "removed_at" integer
);

CREATE TABLE "sessions" (
  "token_hash" text primary key,
  "user_id" integer not null references "users" ("id"),
  "created_at" integer not null,
  "seen_at" integer not null,
  "user_agent" text default '' not null,
  "address" text default '' not null,
  "proved_at" integer default 0 not null
);

CREATE TABLE "settings" (
  "key" text primary key,
  "value" text not null,
  "updated_at" integer not null,
  "updated_by" integer default 0 not null,
  "version" integer default 0 not null
);

CREATE TABLE "setup_links" (
  "token_hash" text primary key,
  "expires_at" integer not null
);

CREATE TABLE "sign_in_attempts" (
  "key" text primary key,
  "failures" integer not null,
  "free_at" integer not null,
  "seen_at" integer not null,
  "known" integer not null
);

CREATE TABLE "sign_in_steps" (
  "token_hash" text primary key,
  "user_id" integer not null references "users" ("id"),
  "attempts" integer not null,
  "expires_at" integer not null
);

CREATE TABLE "source_days" (
  "coupon_id" integer not null references "coupons" ("id"),
  "day" text not null,
  "kind" text not null,
  "name" text not null,
  "clicks" integer not null,
  "conversions" integer not null,
  constraint "source_days_key" primary key ("coupon_id", "kind", "day", "name")
) without rowid;

CREATE TABLE "store_approvals" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "name" text not null,
  "url" text not null,
  "state_hash" text not null unique,
  "created_at" integer not null,
  "expires_at" integer not null,
  "connection_id" integer,
  "attempts" integer default 0 not null,
  "due_at" integer,
  "report" text default '{}' not null,
  "replaces" integer default 0 not null,
  "is_another" integer default 0 not null,
  "access" text default '' not null
);

CREATE TABLE "store_connections" (
  "id" integer primary key autoincrement,
  "kind" text not null,
  "name" text not null,
  "url" text not null,
  "state" text not null,
  "reason" text default '' not null,
  "failing_since" integer,
  "secret" text not null,
  "previous_secret" text default '' not null,
  "previous_until" integer,
  "credentials" text default '' not null,
  "exchange_rates" text default '{}' not null,
  "coupon_discount" text default '' not null,
  "webhooks_active" integer,
  "last_delivery_at" integer,
  "last_order_at" integer,
  "missed_found" integer default 0 not null,
  "rejected" integer default 0 not null,
  "rejected_at" integer,
  "rejected_reason" text default '' not null,
  "created_at" integer not null,
  "reported_since" integer,
  "host" text,
  "account" text,
  "mapped_by" text default '' not null,
  "limits" text default '[]' not null
);

CREATE TABLE "store_coupons" (
  "connection_id" integer not null references "store_connections" ("id"),
  "coupon_id" integer not null,
  "code" text not null,
  "active" integer not null,
  "created" integer default 0 not null,
  "attempts" integer default 0 not null,
  "due_at" integer,
  "error" text default '' not null,
  constraint "store_coupons_key" primary key ("connection_id", "coupon_id")
);

CREATE TABLE "store_days" (
  "day" text primary key,
  "orders_count" integer default 0 not null,
  "total_sales" integer default 0 not null,
  "total_discount" integer default 0 not null,
  "total_shipping" integer default 0 not null,
  "total_commission" integer default 0 not null,
  "upline_commission" integer default 0 not null
);

CREATE TABLE "store_deliveries" (
  "id" integer primary key autoincrement,
  "connection_id" integer not null references "store_connections" ("id"),
  "topic" text not null,
  "external_id" text,
  "dedupe_key" text not null,
  "headers" text not null,
  "body" text not null,
  "is_base64" integer not null,
  "state" text not null,
  "reason" text default '' not null,
  "attempts" integer default 0 not null,
  "due_at" integer,
  "order_id" integer,
  "received_at" integer not null
);

CREATE TABLE "store_orders" (
  "connection_id" integer not null references "store_connections" ("id"),
  "external_id" text not null,
  "order_id" integer not null,
  "reread_at" integer,
  "observed_at" integer,
  "unseen_at" integer,
  constraint "store_orders_key" primary key ("connection_id", "external_id")
);

CREATE TABLE "store_syncs" (
  "connection_id" integer not null references "store_connections" ("id"),
  "task" text not null,
  "since_at" integer not null,
  "page" text,
  "begun_at" integer,
  "due_at" integer,
  "lease" text default '' not null,
  "failures" integer default 0 not null,
  "done" integer default 0 not null,
  "changed" integer default 0 not null,
  "total" integer,
  "finished_at" integer,
  "catching_up" integer default 0 not null,
  constraint "store_syncs_key" primary key ("connection_id", "task")
);

CREATE TABLE "subscription_payments" (
  "key" text not null,
  "order_id" integer not null,
  "placed_at" integer not null,
  "number" integer,
  "is_renewal" integer not null,
  "started_on" text not null,
  constraint "subscription_payments_key" primary key ("key", "order_id")
) without rowid;

CREATE TABLE "tags" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "name_folded" text not null unique
);

CREATE TABLE "terms" (
  "hash" text primary key,
  "content" text not null
);

CREATE TABLE "totp_secrets" (
  "user_id" integer primary key references "users" ("id"),
  "secret" text not null,
  "confirmed_at" integer,
  "last_step" integer not null,
  "created_at" integer not null
);

CREATE TABLE "users" (
  "id" integer primary key autoincrement,
  "login" text not null,
  "login_folded" text not null unique,
  "email" text not null,
  "email_folded" text not null unique,
  "display_name" text not null,
  "role" text not null,
  "password_hash" text,
  "created_at" integer not null,
  "display_name_folded" text default '' not null,
  "disabled_at" integer,
  "last_seen_at" integer,
  "language" text default '' not null,
  "muted_notices" text default '' not null,
  "roster_due" integer default 1 not null
);

CREATE TABLE "waiting_orders" (
  "order_id" integer primary key,
  "store_id" integer not null,
  "placed_at" integer not null,
  "stored_at" integer not null,
  "customer" text
);

CREATE TABLE "webhook_attempts" (
  "delivery_id" integer not null references "webhook_deliveries" ("id") on delete cascade,
  "number" integer not null,
  "attempted_at" integer not null,
  "duration_ms" integer not null,
  "code" integer,
  "error" text not null,
  "answer_headers" text not null,
  "answer" text not null,
  constraint "webhook_attempts_key" primary key ("delivery_id", "number")
);

CREATE TABLE "webhook_days" (
  "webhook_id" integer not null references "webhooks" ("id"),
  "day" text not null,
  "delivered" integer not null,
  "failed" integer not null,
  "last_error" text not null,
  "last_error_at" integer,
  constraint "webhook_days_key" primary key ("webhook_id", "day")
);

CREATE TABLE "webhook_deliveries" (
  "id" integer primary key autoincrement,
  "webhook_id" integer not null references "webhooks" ("id"),
  "event_id" integer not null references "events" ("id"),
  "event" text not null,
  "state" text not null,
  "attempts" integer default 0 not null,
  "attempts_before" integer default 0 not null,
  "due_at" integer,
  "code" integer,
  "error" text default '' not null,
  "queued_at" integer not null,
  "attempted_at" integer,
  "duration_ms" integer
);

CREATE TABLE "webhooks" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "url" text not null,
  "secret" text not null,
  "events" text not null,
  "status" text not null,
  "failures" integer default 0 not null,
  "failing_since" integer,
  "paused_until" integer default 0 not null,
  "last_delivery_at" integer,
  "last_error" text default '' not null,
  "from_event" integer not null,
  "replay_after" integer,
  "replay_until" integer,
  "created_at" integer not null
);

CREATE INDEX "account_links_by_expiry" on "account_links" ("expires_at");

CREATE INDEX "account_links_by_user" on "account_links" ("user_id", "purpose", "created_at");

CREATE INDEX "affiliate_groups_by_group" on "affiliate_groups" ("group_id");

CREATE INDEX "affiliate_notes_by_user" on "affiliate_notes" ("user_id", "id");

CREATE INDEX "affiliate_tags_by_tag" on "affiliate_tags" ("tag_id", "user_id");

CREATE INDEX "affiliates_by_parent" on "affiliates" ("parent_id");

CREATE INDEX "announcement_receivers_by_state" on "announcement_receivers" ("announcement_id", "state", "user_id");

CREATE INDEX "announcement_receivers_by_user" on "announcement_receivers" ("user_id", "announcement_id");

CREATE INDEX "announcements_by_state" on "announcements" ("state", "send_at", "id");

CREATE INDEX "api_keys_by_user" on "api_keys" ("user_id", "id");

CREATE INDEX "application_passwords_by_user" on "application_passwords" ("user_id", "id");

CREATE INDEX "bonus_checks_by_object" on "bonus_checks" ("object_id", "due_at");

CREATE INDEX "bonus_checks_by_time" on "bonus_checks" ("due_at", "id");

CREATE INDEX "bonus_payments_by_coupon" on "bonus_payments" ("coupon_id");

CREATE INDEX "bonus_payments_by_release" on "bonus_payments" ("release_at") where release_at is not null;

CREATE INDEX "bonus_payments_by_time" on "bonus_payments" ("reached_at");

CREATE INDEX "bonus_payments_by_user" on "bonus_payments" ("user_id");

CREATE INDEX "bonus_payments_held" on "bonus_payments" ("coupon_id", "release_at") where release_at is not null;

CREATE INDEX "click_days_by_campaign" on "click_days" ("campaign", "coupon_id", "day");

CREATE INDEX "click_days_by_day" on "click_days" ("day");

CREATE INDEX "click_days_roster_due" on "click_days" ("coupon_id", "day", "campaign") where roster_due = 1;

CREATE INDEX "clicks_by_time" on "clicks" ("recorded_at");

CREATE INDEX "clicks_by_visitor" on "clicks" ("visitor_hash", "clicked_at");

CREATE INDEX "coupon_days_by_day" on "coupon_days" ("day", "coupon_id");

CREATE INDEX "coupon_owners_by_coupon" on "coupon_owners" ("coupon_id", "id");

CREATE INDEX "coupons_by_code" on "coupons" ("code_folded", "id");

CREATE INDEX "coupons_by_status" on "coupons" ("status", "id");

CREATE INDEX "coupons_by_user" on "coupons" ("user_id", "id");

CREATE INDEX "coupons_roster_due" on "coupons" ("id") where roster_due = 1;

CREATE INDEX "coupons_without_percent" on "coupons" ("user_id", "percent") where percent is null;

CREATE INDEX "creative_affiliates_by_user" on "creative_affiliates" ("user_id", "creative_id");

CREATE INDEX "creative_days_by_day" on "creative_days" ("day");

CREATE INDEX "creatives_by_file" on "creatives" ("file_id");

CREATE INDEX "events_by_event" on "events" ("event", "id", "event_ordinal");

CREATE INDEX "events_by_kind" on "events" ("kind", "id", "kind_ordinal");

CREATE INDEX "events_by_object" on "events" ("kind", "object_id", "id");

CREATE INDEX "events_by_user" on "events" ("user_id", "id", "user_ordinal");

CREATE INDEX "events_restricted" on "events" ("user_id", "id") where kind in ('access', 'account', 'session', 'team', 'two_factor');

CREATE INDEX "files_of_user" on "files" ("user_id") where user_id is not null;

CREATE INDEX "files_unused" on "files" ("state", "created_at") where state <> 'kept';

CREATE INDEX "former_accounts_by_user" on "former_accounts" ("user_id", "coupon_id");

CREATE INDEX "former_clicks_by_day" on "former_clicks" ("day");

CREATE INDEX "former_clicks_by_user" on "former_clicks" ("user_id", "kind", "day");

CREATE INDEX "former_days_by_day" on "former_days" ("day");

CREATE INDEX "former_days_by_user" on "former_days" ("user_id", "day");

CREATE INDEX "idempotency_keys_by_expiry" on "idempotency_keys" ("expires_at");

CREATE INDEX "import_history_by_import" on "import_history" ("import_id", "id");

CREATE UNIQUE INDEX "import_history_by_record" on "import_history" ("external_id", "system", "kind", "import_id");

CREATE INDEX "import_history_by_user" on "import_history" ("user_id", "id");

CREATE INDEX "import_links_by_coupon" on "import_links" ("coupon_id");

CREATE INDEX "import_links_by_import" on "import_links" ("import_id", "id");

CREATE INDEX "import_links_by_record" on "import_links" ("system", "kind", "external_id");

CREATE INDEX "import_links_by_user" on "import_links" ("user_id", "kind");

CREATE INDEX "import_rules_by_import" on "import_rules" ("import_id", "id");

CREATE INDEX "ledger_by_account" on "ledger" ("coupon_id", "owner_id", "created_at", "id");

CREATE INDEX "ledger_by_coupon" on "ledger" ("coupon_id", "id");

CREATE INDEX "ledger_by_payout" on "ledger" ("payout_id", "id") where "payout_id" is not null;

CREATE INDEX "ledger_of_bonuses" on "ledger" ("coupon_id") where kind = 'bonus';

CREATE INDEX "limited_rewards_by_subject" on "limited_rewards" ("rule_id", "subject", "day", "amount");

CREATE INDEX "message_files_of_message" on "message_files" ("message_id");

CREATE INDEX "message_threads_affiliate_mails" on "message_threads" ("affiliate_mail_at") where affiliate_mail_at is not null;

CREATE INDEX "message_threads_by_last" on "message_threads" ("last_id");

CREATE INDEX "message_threads_team_mails" on "message_threads" ("team_mail_at") where team_mail_at is not null;

CREATE INDEX "message_threads_unread" on "message_threads" ("last_id") where team_unread > 0;

CREATE INDEX "messages_of_thread" on "messages" ("user_id", "id");

CREATE INDEX "mla_shares_by_coupon" on "mla_shares" ("upline_coupon_id", "order_id", "coupon_id", "tier");

CREATE INDEX "mla_shares_held" on "mla_shares" ("upline_coupon_id", "release_at", "awaiting") where release_at is not null;

CREATE INDEX "orders_by_customer" on "orders" (substr(customer_hash, 1, 8), placed_at) where customer_hash is not null;

CREATE INDEX "orders_by_date" on "orders" ("status", "placed_at", "order_id", "total");

CREATE INDEX "orders_by_number" on "orders" ("number") where number is not null;

CREATE INDEX "orders_by_total" on "orders" ("status", "total", "order_id", "placed_at");

CREATE INDEX "outbox_by_address" on "outbox" ("to_address", "id");

CREATE INDEX "outbox_by_state" on "outbox" ("state", "id");

CREATE INDEX "outbox_by_template" on "outbox" ("template", "id");

CREATE INDEX "outbox_due" on "outbox" ("state", "next_attempt_at");

CREATE INDEX "outbox_due_many" on "outbox" ("next_attempt_at", "id") where state = 'pending' and unsubscribe is not null;

CREATE INDEX "outbox_due_single" on "outbox" ("next_attempt_at", "id") where state = 'pending' and unsubscribe is null;

CREATE INDEX "passkey_challenges_by_expiry" on "passkey_challenges" ("expires_at");

CREATE INDEX "passkeys_by_user" on "passkeys" ("user_id", "id");

CREATE INDEX "payout_calls_by_payout" on "payout_calls" ("payout_id", "id");

CREATE INDEX "payout_changes_by_payout" on "payout_changes" ("payout_id", "id");

CREATE INDEX "payout_details_by_destination" on "payout_details" ("destination_hash");

CREATE INDEX "payout_details_by_method" on "payout_details" ("method_type");

CREATE INDEX "payout_file_items_by_payout" on "payout_file_items" ("payout_id", "file_id");

CREATE INDEX "payouts_by_amount" on "payouts" ("amount", "id");

CREATE INDEX "payouts_by_change" on "payouts" ("changed_at", "id");

CREATE INDEX "payouts_by_coupon" on "payouts" ("coupon_id", "requested_day", "id");

CREATE INDEX "payouts_by_day" on "payouts" ("requested_day", "id");

CREATE INDEX "payouts_by_method" on "payouts" ("method_type", "requested_day", "id");

CREATE INDEX "payouts_by_reference" on "payouts" ("transaction_id") where "transaction_id" <> '';

CREATE INDEX "payouts_by_status" on "payouts" ("status", "requested_day", "id");

CREATE INDEX "payouts_by_status_amount" on "payouts" ("status", "amount", "id");

CREATE INDEX "payouts_by_status_change" on "payouts" ("status", "changed_at", "id");

CREATE INDEX "payouts_by_status_method" on "payouts" ("status", "method_type", "requested_day", "id");

CREATE INDEX "payouts_by_user" on "payouts" ("user_id", "requested_day", "id");

CREATE INDEX "payouts_open" on "payouts" ("coupon_id") where status in ('pending', 'created', 'processing');

CREATE UNIQUE INDEX "payouts_retry_of" on "payouts" ("retry_of") where "retry_of" is not null;

CREATE INDEX "payouts_to_ask" on "payouts" ("ask_at") where "ask_at" is not null;

CREATE INDEX "payouts_unclear" on "payouts" ("unclear_since") where "unclear_since" is not null;

CREATE INDEX "personal_pages_by_file" on "personal_pages" ("file_id");

CREATE INDEX "personal_pages_by_state" on "personal_pages" ("state", "id");

CREATE UNIQUE INDEX "personal_pages_of_user" on "personal_pages" ("user_id", "state");

CREATE INDEX "postback_deliveries_by_age" on "postback_deliveries" ("queued_at");

CREATE INDEX "postback_deliveries_by_postback" on "postback_deliveries" ("postback_id", "id");

CREATE INDEX "postback_deliveries_due" on "postback_deliveries" ("postback_id", "due_at", "id") where due_at is not null;

CREATE INDEX "postback_deliveries_pending" on "postback_deliveries" ("postback_id", "order_id", "id") where state = 'pending';

CREATE INDEX "postbacks_by_status" on "postbacks" ("status", "failing_since");

CREATE INDEX "postbacks_by_user" on "postbacks" ("user_id", "id");

CREATE INDEX "postbacks_replaying" on "postbacks" ("id") where replay_after is not null;

CREATE INDEX "referrals_by_commission" on "referrals" ("status", "commission", "order_id", "placed_at") where dropped = 0;

CREATE INDEX "referrals_by_coupon" on "referrals" ("coupon_id", "day", "placed_at", "order_id", "status", "state", "release_at", "commission") where dropped = 0;

CREATE INDEX "referrals_by_release" on "referrals" ("release_at") where "release_at" is not null;

CREATE INDEX "referrals_held" on "referrals" ("coupon_id", "release_at", "awaiting") where release_at is not null;

CREATE INDEX "registration_messages_by_registration" on "registration_messages" ("registration_id", "id");

CREATE INDEX "registration_words_by_registration" on "registration_words" ("registration_id", "word");

CREATE INDEX "registrations_by_mail_domain" on "registrations" ("mail_domain");

CREATE INDEX "registrations_by_mail_pattern" on "registrations" ("mail_pattern");

CREATE INDEX "registrations_by_network_hash" on "registrations" ("network_hash");

CREATE INDEX "registrations_by_status" on "registrations" ("status", "id");

CREATE INDEX "registrations_by_user" on "registrations" ("user_id", "id");

CREATE INDEX "registrations_by_website_place" on "registrations" ("website_place");

CREATE UNIQUE INDEX "registrations_one_pending" on "registrations" ("user_id") where "status" = 'pending';

CREATE UNIQUE INDEX "report_views_by_name" on "report_views" ("user_id", "name");

CREATE INDEX "review_cases_by_state" on "review_cases" ("state", "id");

CREATE INDEX "review_cases_by_subject" on "review_cases" ("subject_type", "subject_id");

CREATE INDEX "review_cases_by_time" on "review_cases" ("opened_at", "rule", "state", "decided_by");

CREATE INDEX "review_cases_holding" on "review_cases" ("user_id") where state = 'open' and holds_new = 1;

CREATE INDEX "review_cases_of_affiliate" on "review_cases" ("user_id", "id") where user_id is not null;

CREATE UNIQUE INDEX "review_cases_open" on "review_cases" ("subject_type", "subject_id", "user_id") where state = 'open';

CREATE INDEX "review_click_traces_by_time" on "review_click_traces" ("recorded_at");

CREATE INDEX "review_devices_by_device" on "review_devices" ("device_hash", "network_hash", "user_id");

CREATE INDEX "review_devices_by_time" on "review_devices" ("recorded_at");

CREATE INDEX "review_history_by_case" on "review_history" ("case_id", "id");

CREATE INDEX "review_holds_by_coupon" on "review_holds" ("coupon_id", "case_id");

CREATE INDEX "review_holds_by_order" on "review_holds" ("order_id");

CREATE INDEX "review_order_traces_by_domain" on "review_order_traces" ("domain_hash", "order_id");

CREATE INDEX "review_order_traces_by_time" on "review_order_traces" ("recorded_at");

CREATE INDEX "review_payouts_by_case" on "review_payouts" ("case_id");

CREATE INDEX "reward_trials_by_age" on "reward_trials" ("created_at");

CREATE INDEX "reward_trials_by_state" on "reward_trials" ("state", "id");

CREATE INDEX "roster_by_clicks" on "roster" ("clicks", "user_id", "status");

CREATE INDEX "roster_by_commission" on "roster" ("commission", "user_id", "status");

CREATE INDEX "roster_by_highest_unpaid" on "roster" ("highest_unpaid");

CREATE INDEX "roster_by_last_order_at" on "roster" ("last_order_at", "user_id", "status");

CREATE INDEX "roster_by_name" on "roster" ("name", "user_id", "status");

CREATE INDEX "roster_by_registered_at" on "roster" ("registered_at", "user_id", "status");

CREATE INDEX "roster_by_sales" on "roster" ("sales", "user_id", "status");

CREATE INDEX "roster_by_status" on "roster" ("status", "user_id");

CREATE INDEX "roster_by_unpaid" on "roster" ("unpaid", "user_id", "status");

CREATE INDEX "roster_words_by_user" on "roster_words" ("user_id", "word");

CREATE INDEX "series_members_by_entry" on "series_members" ("series_id", "entered_at", "user_id");

CREATE INDEX "series_members_by_state" on "series_members" ("series_id", "state", "entered_at", "user_id");

CREATE INDEX "series_members_by_user" on "series_members" ("user_id", "series_id");

CREATE INDEX "series_members_due" on "series_members" ("series_id", "due_at", "user_id") where due_at is not null;

CREATE INDEX "series_steps_by_series" on "series_steps" ("series_id", "after_days");

CREATE INDEX "sessions_by_seen" on "sessions" ("seen_at");

CREATE INDEX "sessions_by_user" on "sessions" ("user_id");

CREATE INDEX "sign_in_attempts_by_age" on "sign_in_attempts" ("known", "seen_at");

CREATE INDEX "sign_in_steps_by_expiry" on "sign_in_steps" ("expires_at");

CREATE INDEX "sign_in_steps_by_user" on "sign_in_steps" ("user_id");

CREATE INDEX "source_days_by_day" on "source_days" ("kind", "day");

CREATE UNIQUE INDEX "store_connections_by_account" on "store_connections" ("kind", "account") where "account" is not null;

CREATE UNIQUE INDEX "store_connections_by_host" on "store_connections" ("kind", "host") where "host" is not null;

CREATE INDEX "store_coupons_due" on "store_coupons" ("due_at") where "due_at" is not null;

CREATE INDEX "store_coupons_failed" on "store_coupons" ("connection_id", "coupon_id") where error <> '';

CREATE INDEX "store_deliveries_by_age" on "store_deliveries" ("received_at");

CREATE INDEX "store_deliveries_by_connection" on "store_deliveries" ("connection_id", "id");

CREATE INDEX "store_deliveries_due" on "store_deliveries" ("connection_id", "due_at", "id") where "due_at" is not null;

CREATE INDEX "store_deliveries_failed" on "store_deliveries" ("connection_id", "id") where state = 'failed';

CREATE UNIQUE INDEX "store_deliveries_once" on "store_deliveries" ("connection_id", "dedupe_key");

CREATE UNIQUE INDEX "store_orders_by_number" on "store_orders" ("order_id");

CREATE INDEX "store_orders_reread" on "store_orders" ("connection_id", "reread_at") where "reread_at" is not null;

CREATE INDEX "store_orders_unseen" on "store_orders" ("connection_id", "unseen_at") where "unseen_at" is not null;

CREATE INDEX "subscription_payments_by_order" on "subscription_payments" ("order_id");

CREATE INDEX "subscription_payments_by_time" on "subscription_payments" ("placed_at", "key");

CREATE INDEX "users_administrators" on "users" ("id") where role = 'administrator';

CREATE INDEX "users_by_display_name" on "users" ("display_name_folded", "id");

CREATE INDEX "users_roster_due" on "users" ("id") where roster_due = 1;

CREATE INDEX "users_team" on "users" ("id") where role in ('administrator', 'manager');

CREATE INDEX "waiting_orders_by_time" on "waiting_orders" ("store_id", "placed_at", "order_id");

CREATE INDEX "webhook_deliveries_by_age" on "webhook_deliveries" ("queued_at");

CREATE INDEX "webhook_deliveries_due" on "webhook_deliveries" ("webhook_id", "due_at", "event_id") where "due_at" is not null;

CREATE INDEX "webhook_deliveries_failed" on "webhook_deliveries" ("webhook_id", "event_id") where state = 'failed';

CREATE UNIQUE INDEX "webhook_deliveries_once" on "webhook_deliveries" ("webhook_id", "event_id");

CREATE TRIGGER events_refuses_delete before
        delete on "events"
        begin select raise(abort, 'events is append-only'); end;

CREATE TRIGGER events_refuses_replace before insert on "events"
      when exists (select 1 from "events" where id = new.id)
      begin select raise(abort, 'events is append-only'); end;

CREATE TRIGGER events_refuses_update before
        update on "events"
        begin select raise(abort, 'events is append-only'); end;

CREATE TRIGGER ledger_refuses_delete before
        delete on "ledger"
        begin select raise(abort, 'ledger is append-only'); end;

CREATE TRIGGER ledger_refuses_earlier before insert on "ledger"
      when new."owner_id" = -1
      begin select raise(abort, 'A later version has upgraded this database. Stop this one.'); end;

CREATE TRIGGER ledger_refuses_replace before insert on "ledger"
      when exists (select 1 from "ledger" where id = new.id)
      begin select raise(abort, 'ledger is append-only'); end;

CREATE TRIGGER ledger_refuses_update before
        update on "ledger"
        begin select raise(abort, 'ledger is append-only'); end;
