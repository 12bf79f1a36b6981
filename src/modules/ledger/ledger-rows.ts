import type { Insertable, Selectable } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { byNumber } from '../../db/statements/keyed-query.ts';
import { readAll } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows, updateRows } from '../../db/statements/rows-query.ts';
import type { LedgerTable, Pool } from './tables.ts';

export type LedgerEntry = Selectable<LedgerTable>;
export type NewLedgerEntry = Omit<Insertable<LedgerTable>, 'id'>;
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

export const addToBalances = updateRows<CouponBalances & { roster_due: 1 }>('coupons', {
  key: ['id'],
  set: ['roster_due'],
  add: ['unpaid', 'awaiting', 'pending_payout', 'paid'],
});

export const insertEntries = insertRows<NewLedgerEntry>('ledger');

const countOf = query<{ coupon_id: number }, { total: number }>((db, p) =>
  db
    .selectFrom('ledger')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('coupon_id', '=', p.coupon_id),
);

export const listEntries = readAll<
  { coupon_id: number; limit: number; offset: number },
  LedgerEntry
>((db, p) =>
  db
    .selectFrom('ledger')
    .selectAll()
    .where('coupon_id', '=', p.coupon_id)
    .orderBy('id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
);

export async function countEntries(db: Reader, couponId: number): Promise<number> {
  return (await db.first(countOf, { coupon_id: couponId }))!.total;
}

/** The entries of a payout, oldest first. */
export const findEntriesOfPayout = readAll<{ payout_id: number }, LedgerEntry>((db, p) =>
  db.selectFrom('ledger').selectAll().where('payout_id', '=', p.payout_id).orderBy('id'),
);
