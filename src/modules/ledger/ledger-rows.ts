import type { Kysely } from 'kysely';
import { readCount } from '../../db/lists/paged-list.ts';
import { readAll } from '../../db/statements/calls.ts';
import { columnGroups } from '../../db/statements/columns.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import type { NewRowOf, RowOf, Tables } from '../../db/tables.ts';
import type { Pool } from './tables.ts';

export type LedgerEntry = RowOf<'ledger'>;
export type NewLedgerEntry = Omit<NewRowOf<'ledger'>, 'id'>;
export type Balances = Record<Exclude<Pool, 'earned'>, number>;
export type CouponBalances = { id: number } & Balances;
export type AccountBalances = { coupon_id: number; user_id: number } & Balances;

const pools = columnGroups.balances;

/** Locks coupons by ascending id, as every transaction does that changes several. Each has today's account. */
export const balancesToChange = byNumber<CouponBalances & { user_id: number | null }>(
  (db, isKey, dialect) =>
    dialect.lockForUpdate(
      db
        .selectFrom('coupons')
        .select(['id', 'user_id', ...pools])
        .where(isKey('id'))
        .orderBy('id'),
    ),
);

/** The lock of the coupon is that of its former accounts, too. */
export const formerBalances = byNumber<AccountBalances>((db, isKey) =>
  db
    .selectFrom('former_accounts')
    .select(['coupon_id', 'user_id', ...pools])
    .where(isKey('coupon_id')),
);

export const addToFormerBalances = insertRows<AccountBalances>('former_accounts', {
  on: ['coupon_id', 'user_id'],
  add: pools,
});

export const addToBalances = updateRows<CouponBalances & { roster_due: 1 }>('coupons', {
  key: ['id'],
  set: ['roster_due'],
  add: pools,
});

export const insertEntries = insertRows<NewLedgerEntry>('ledger');

interface EntryFilter {
  coupon_id: number;
  /** The entries of one account; left out, all of the coupon. */
  owner_id?: number | undefined;
}

const filtered = (
  db: Kysely<Tables>,
  p: EntryFilter,
  given: (name: keyof EntryFilter) => boolean,
) =>
  db
    .selectFrom('ledger')
    .where('coupon_id', '=', p.coupon_id)
    .$if(given('owner_id'), (q) => q.where('owner_id', '=', p.owner_id!));

export const countEntries = readCount(filtered);

export const listEntries = readAll<EntryFilter & { limit: number; offset: number }, LedgerEntry>(
  (db, p, given) =>
    filtered(db, p, given).selectAll().orderBy('id', 'desc').limit(p.limit).offset(p.offset),
);

/** The entries of a payout, oldest first. */
export const findEntriesOfPayout = readAll<{ payout_id: number }, LedgerEntry>((db, p) =>
  db.selectFrom('ledger').selectAll().where('payout_id', '=', p.payout_id).orderBy('id'),
);
