import type { DatabaseSync } from 'node:sqlite';
import { addonFacts, withAddons } from '../support/addon-facts.ts';
import { fillKit, FIRST, type FillKit } from './fill-kit.ts';

/**
 * How many rows each table has: in a small store, and in a large one. A row that is visited takes three steps at least,
 * so a scan takes 75,000 steps. Without the index `coupons_by_user` the test fails.
 */
export const FEW_ROWS = 1_000;
export const MANY_ROWS = 25_000;

const DAY_MS = 86_400_000;

/** Tables that are not filled, because what is in them does not grow with use. */
const ownNotFilled: Readonly<Record<string, string>> = {
  applied_statuses: 'one row for each setting',
  bonus_checks:
    'one row for each order of the last seconds, and one for each affiliate whose window ends later',
  brand_logos: 'one row for each picture of the brand',
  cursors: 'one row for each reader of the feed',
  earned_mails: 'one row: how far the mails of a day are',
  imports: 'one row for each import, run by an administrator',
  installation: 'a few facts of the installation',
  leases: 'one row for each job',
  mail_texts: 'one row for each mail and language',
  migrations: 'one row for each migration',
  payout_days: 'a few rows for each day',
  reward_bonuses: 'one row for each bonus, made by an administrator; at most 100',
  reward_changes: 'one row for changes of the last minutes, made by an administrator',
  reward_rules: 'one row for each rule, made by an administrator; at most 500',
  reward_trials: 'one row for each dry run of a day, asked for by an administrator',
  settings: 'one row for each setting',
  setup_links: 'one row until the setup',
  store_days: 'one row for each day',
  waiting_orders: 'one row for each order of a history until it is decided',
};
export const notFilled = withAddons(ownNotFilled, (facts) => facts.notFilled);

/** SQL for the values of row `i` whose names do not say enough. Nearly all rows have the same status. */
function valuesAt({ nowMs, rare, few, first, placedAt, day }: FillKit): Record<string, string> {
  const login = `'user' || i`;
  return {
    'account_links.purpose': rare('reset', 'invitation'),
    'affiliates.parent_id': few,
    'affiliates.profile': `'{}'`,
    'affiliates.status': rare('active', 'suspended'),
    'api_keys.scopes': `'["read"]'`,
    'coupons.code': `'CODE' || i`,
    'coupons.code_folded': `'code' || i`,
    'coupons.status': rare('active', 'disabled'),
    'coupons.roster_user_id': 'i',
    'coupons.unpaid': '50000',
    'events.data': `'{}'`,
    'events.event': rare('order.created', 'coupon.created'),
    'events.info': `'{}'`,
    'events.kind': rare('order', 'coupon'),
    'events.event_ordinal': 'i',
    'events.kind_ordinal': 'i',
    'events.user_ordinal': '1',
    'files.access': `'public'`,
    'files.key': `printf('%040x', i)`,
    'files.small_bytes': '0',
    'files.state': `'kept'`,
    'files.type': `'application/pdf'`,
    'idempotency_keys.status': '200',
    'import_history.kind': rare('referral', 'payout'),
    'import_history.state': `'paid'`,
    'import_links.kind': rare('affiliate', 'balance'),
    'ledger.from_pool': `'earned'`,
    'ledger.kind': rare('order', 'adjustment'),
    'ledger.to_pool': `'unpaid'`,
    'mla_shares.percent': `'10'`,
    'mla_shares.tier': '1',
    // As in the order that the service has stored itself.
    'orders.content': `replace((select content from orders where order_id = 1), 'SAMPLE', 'CODE' || i)`,
    'orders.currency': `'EUR'`,
    'orders.status': rare('completed', 'cancelled'),
    'outbox.html': `''`,
    'outbox.state': first("'failed'", "'sent'"),
    'outbox.template': rare('payout-paid', 'reset'),
    'passkeys.transports': `'[]'`,
    'payout_calls.act': `'pay'`,
    'payout_calls.code': `''`,
    'payout_calls.outcome': `'done'`,
    'payout_calls.reason': `''`,
    'payout_changes.status': rare('paid', 'pending'),
    'payout_details.method_type': rare('banktransfer', 'paypal'),
    'payout_files.format': `'sepa'`,
    'payouts.method': `'Bank transfer'`,
    'payouts.method_type': rare('banktransfer', 'paypal'),
    'payouts.status': rare('paid', 'cancel'),
    'payouts.asks': '0',
    'payouts.leased_until': '0',
    'referrals.rates': '(select rates from referrals where order_id = 1)',
    'referrals.state': rare('granted', 'void'),
    'referrals.status': rare('completed', 'cancelled'),
    'referrals.via': `'coupon'`,
    'referrals.credited_by': `'coupon_codes'`,
    'registrations.custom_fields': `'{}'`,
    'registrations.status': rare('accepted', 'declined'),
    'registrations.type': `'normal'`,
    'registrations.website': `'https://shop' || i || '.example'`,
    'registration_words.word': `'word' || i`,
    'roster.status': rare('active', 'suspended'),
    'roster.words': `'user' || i`,
    'roster_words.word': `'user' || i`,
    'totp_secrets.confirmed_at': `${nowMs}`,
    'users.display_name': `'User ' || i`,
    'users.display_name_folded': `'user ' || i`,
    'users.email': `${login} || '@shop.example'`,
    'users.email_folded': `${login} || '@shop.example'`,
    'users.login': login,
    'users.login_folded': login,
    'users.role': `'affiliate'`,
    // By the name of the column alone.
    author_id: '1',
    connection_id: few,
    created_by: '1',
    day,
    due_at: 'null',
    ended_at: 'null',
    recorded_at: `${nowMs} - i % 600 * 60000`,
    expires_at: `${nowMs + DAY_MS}`,
    group_id: few,
    headers: `'{}'`,
    import_id: few,
    month: `substr(${day}, 1, 7)`,
    paid_day: day,
    placed_at: placedAt,
    requested_at: placedAt,
    reached_at: placedAt,
    requested_day: day,
    roster_due: '0',
    tag_id: few,
    webhook_id: few,
  };
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

/** How many rows each table gets: the same for all, or more for those that have a row for each order. */
export interface Amount {
  readonly rows: number;
  /** Each affiliate then has several of them. */
  readonly rowsOfOrders?: number;
}

/** Tables with a row for each order, or for what happens to it. */
const OF_ORDERS = new Set([
  'events',
  'ledger',
  'order_sources',
  'orders',
  'referrals',
  ...addonFacts.flatMap(({ tablesOfOrders = [] }) => tablesOfOrders),
]);
/** A transaction with more would need as much space again for its log. */
const ROWS_AT_ONCE = 1_000_000;

/** Fills each table that grows with use, as fast as SQLite can: without checks and indexes. */
export function fill(
  db: DatabaseSync,
  { rows, rowsOfOrders = rows }: Amount,
  nowMs: number,
  isFilled = (table: string): boolean => !(table in notFilled),
): void {
  const kit = fillKit(nowMs);
  const values = withAddons(valuesAt(kit), ({ filledWith }) =>
    typeof filledWith === 'function' ? filledWith(kit) : filledWith,
  );
  const owner = `${FIRST} + (i - ${FIRST}) % ${rows}`;
  const valuesOfOrders = {
    ...values,
    coupon_id: owner,
    user_id: owner,
    owner_id: owner,
    'events.user_ordinal': 'i',
  };
  // A table of SQLite's own has no text.
  const schema = db
    .prepare(
      `select type, name, tbl_name as "table", sql from sqlite_schema where sql is not null
        and name not like 'sqlite_%'`,
    )
    .all() as { type: string; name: string; table: string; sql: string }[];
  const aside = schema.filter(({ type }) => type === 'index' || type === 'trigger');
  db.exec('pragma foreign_keys = off; pragma synchronous = off; pragma cache_size = -200000');
  db.exec('begin');
  for (const { type, name } of aside) db.exec(`drop ${type} "${name}"`);
  for (const { type, name } of schema) {
    if (type !== 'table' || !isFilled(name)) continue;
    const isOfOrders = OF_ORDERS.has(name) && rowsOfOrders > rows;
    const end = FIRST + (isOfOrders ? rowsOfOrders : rows);
    for (let from = FIRST; from < end; from += ROWS_AT_ONCE) {
      const range = { from, to: Math.min(end, from + ROWS_AT_ONCE) };
      db.exec(insertOf(db, name, range, nowMs, isOfOrders ? valuesOfOrders : values));
      if (range.to < end) db.exec('commit; begin');
    }
  }
  // Their readers have read the events.
  db.exec('update cursors set position = (select max(id) from events)');
  for (const { sql } of aside) {
    db.exec(sql);
    if (rowsOfOrders > ROWS_AT_ONCE) db.exec('commit; begin');
  }
  db.exec('commit');
}

function insertOf(
  db: DatabaseSync,
  table: string,
  { from, to }: { from: number; to: number },
  nowMs: number,
  values: Record<string, string>,
): string {
  // The pragma returns these columns.
  const columns = db.prepare(`pragma table_info("${table}")`).all() as unknown as Column[];
  const chosen = columns.map((column) => {
    const { name, type, notnull, dflt_value } = column;
    const known = values[`${table}.${name}`] ?? values[name];
    if (known !== undefined) return known;
    if (name === 'id' || name.endsWith('_id')) return 'i';
    if (notnull === 0) return 'null';
    if (dflt_value !== null) return dflt_value;
    if (name.endsWith('_at') || name === 'clicked_at') return `${nowMs} - i % 600 * 60000`;
    return type.toLowerCase() === 'integer' ? '1 + i % 100' : `'${name} ' || i`;
  });
  return `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join()})
    with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to - 1})
    select ${chosen.join()} from n`;
}
