import { sql, type Kysely } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readCount, readPage } from '../../../src/db/lists/paged-list.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { Tables } from '../../../src/db/tables.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import type { Slice } from '../../../src/shared/pagination.ts';
import { findDayAt, sumDays } from '../payout/payout-days.ts';
import { selectPayouts, type PayoutRow } from '../payout/payout-rows.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';

const shownColumns = [
  'id',
  'user_id',
  'coupon_id',
  'amount',
  'method',
  'method_type',
  'status',
  'transaction_id',
  'invoice_id',
  'requested_at',
  'paid_at',
  'unclear_since',
  'failure_code',
  'failure_message',
] as const;

/** What the API shows of a payout. The destination is not part of it, only whether there is one. */
export type ShownPayout = Pick<
  PayoutRow,
  (typeof shownColumns)[number] | 'coupon_code' | 'display_name' | 'details'
>;

/** Half of the columns: they decide what a page of payouts costs. */
function selectShownPayouts(db: Kysely<Tables>) {
  return db
    .selectFrom('payouts')
    .innerJoin('coupons', 'coupons.id', 'payouts.coupon_id')
    .innerJoin('users', 'users.id', 'payouts.user_id')
    .select(shownColumns.map((column) => `payouts.${column}` as const))
    .select(['coupons.code as coupon_code', 'users.display_name'])
    .select(
      sql<string | null>`case when payouts.details is null then null else '' end`.as('details'),
    );
}

export interface PayoutFilter {
  user_id?: number | undefined;
  coupon_id?: number | undefined;
  status?: PayoutStatus | undefined;
  /** The first and the last day of the request. */
  first: string;
  last: string;
}

/** From this offset on, whole days are skipped by their sums. */
const SKIP_DAYS_FROM = 1_000;

function filtered(
  db: Kysely<Tables>,
  p: PayoutFilter,
  given: (name: keyof PayoutFilter) => boolean,
) {
  return db
    .selectFrom('payouts as p')
    .where('p.requested_day', '>=', p.first)
    .where('p.requested_day', '<=', p.last)
    .$if(given('user_id'), (q) => q.where('p.user_id', '=', p.user_id!))
    .$if(given('coupon_id'), (q) => q.where('p.coupon_id', '=', p.coupon_id!))
    .$if(given('status'), (q) => q.where('p.status', '=', p.status!));
}

const count = readCount(filtered);

/** Selects the ids from an index before it joins, so skipped rows are not read. */
const page = query<PayoutFilter & Slice, ShownPayout>((db, p, given) =>
  selectShownPayouts(db)
    .where(
      'payouts.id',
      'in',
      filtered(db, p, given)
        .select('p.id')
        .orderBy('p.requested_day', 'desc')
        .orderBy('p.id', 'desc')
        .limit(p.limit)
        .offset(p.offset),
    )
    .orderBy('payouts.requested_day', 'desc')
    .orderBy('payouts.id', 'desc'),
);

/** Counts the few payouts of one affiliate or coupon; any other total comes from the daily sums. */
export async function countPayouts(db: Reader, filter: PayoutFilter): Promise<number> {
  if (isNarrow(filter)) return count(db, filter);
  return (await sumDays(db, 'requested', filter)).payouts;
}

export async function listPayoutRows(
  db: Reader,
  site: Site,
  filter: PayoutFilter,
  { limit, offset }: Slice,
): Promise<ShownPayout[]> {
  if (isNarrow(filter) || offset < SKIP_DAYS_FROM) {
    return db.all(page, { ...filter, limit, offset });
  }
  return db.all(page, { ...filter, limit, ...(await findDayAt(db, site, filter, offset)) });
}

function isNarrow({ user_id, coupon_id }: PayoutFilter): boolean {
  return user_id !== undefined || coupon_id !== undefined;
}

const isUnclear = sql<boolean>`unclear_since is not null`;

export const countUnresolved = readCount((db) => db.selectFrom('payouts').where(isUnclear));

/** Oldest first. */
export const listUnresolved = readPage((db) =>
  selectPayouts(db).where(isUnclear).orderBy('payouts.id'),
);
