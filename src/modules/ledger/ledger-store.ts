import type { Selectable } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import type { JournalTable, Pool } from './tables.ts';

// The table of the ledger is named `journal`: it was created before the term was settled, and released
// migrations stay as they are.

export type LedgerEntry = Selectable<JournalTable>;
export type NewLedgerEntry = Omit<LedgerEntry, 'id'>;
export type Balances = Record<Exclude<Pool, 'earned'>, number>;
export type CouponBalances = { id: number } & Balances;

/** Locks coupons by ascending id, as every transaction does that changes several. */
export const balancesToChange = byNumber<CouponBalances>((db, isKey, dialect) =>
  dialect.lockForUpdate(
    db
      .selectFrom('coupons')
      .select(['id', 'unpaid', 'awaiting', 'pending_payout', 'paid'])
      .where(isKey('id'))
      .orderBy('id'),
  ),
);

export const addToBalances = updateRows<CouponBalances & { roster_due: 1 }>(
  'coupons',
  {
    id: 'number',
    unpaid: 'number',
    awaiting: 'number',
    pending_payout: 'number',
    paid: 'number',
    roster_due: 'number',
  },
  { key: ['id'], set: ['roster_due'], add: ['unpaid', 'awaiting', 'pending_payout', 'paid'] },
);

export const insertEntries = insertRows<NewLedgerEntry>('journal', {
  coupon_id: 'number',
  from_pool: 'text',
  to_pool: 'text',
  amount: 'number',
  kind: 'text',
  order_id: 'number',
  user_id: 'number',
  note: 'text',
  created_at: 'number',
  unpaid_after: 'number',
  awaiting_after: 'number',
  pending_payout_after: 'number',
  paid_after: 'number',
});

const countOf = query<{ coupon_id: number }, { total: number }>((db, p) =>
  db
    .selectFrom('journal')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('coupon_id', '=', p.coupon_id),
);

const pageOf = query<{ coupon_id: number; limit: number; offset: number }, LedgerEntry>((db, p) =>
  db
    .selectFrom('journal')
    .selectAll()
    .where('coupon_id', '=', p.coupon_id)
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
);

export async function countEntries(db: Reader, couponId: number): Promise<number> {
  return (await db.first(countOf, { coupon_id: couponId }))!.total;
}

export function listEntries(
  db: Reader,
  couponId: number,
  page: { limit: number; offset: number },
): Promise<LedgerEntry[]> {
  return db.all(pageOf, { coupon_id: couponId, ...page });
}

const entriesAt = query<{ coupon_id: number; instants: string }, LedgerEntry>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('journal')
      .selectAll()
      .where('coupon_id', '=', p.coupon_id)
      .where(dialect.inJsonArray('created_at', p.instants, 'number'))
      .orderBy('id'),
);

/** The entries of a coupon that were written at one of these instants, oldest first. */
export function findEntriesAt(
  db: Reader,
  couponId: number,
  instants: readonly number[],
): Promise<LedgerEntry[]> {
  return db.all(entriesAt, { coupon_id: couponId, instants: JSON.stringify(instants) });
}
