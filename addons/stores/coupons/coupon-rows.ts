import { sql } from 'kysely';
import { insertRow, readAll } from '../../../src/db/statements/calls.ts';
import { findIn, saveIn } from '../../../src/db/statements/plain-calls.ts';
import type { RowOf } from '../../../src/db/tables.ts';

export type StoreCouponRow = RowOf<'store_coupons'>;

type Wanted = Pick<StoreCouponRow, 'connection_id' | 'coupon_id' | 'code' | 'active' | 'due_at'>;

/** A code that is not to work and was never created in the store needs nothing. */
export const wantCoupon = insertRow<Wanted>((db, row) =>
  db
    .insertInto('store_coupons')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['connection_id', 'coupon_id'])
        .doUpdateSet({ active: row.active, due_at: row.due_at, attempts: 0 }),
    ),
);

export const findStoreCoupon = findIn('store_coupons', 'connection_id', 'coupon_id');

export const listDueCoupons = readAll<{ now: number; limit: number }, StoreCouponRow>((db, p) =>
  db
    .selectFrom('store_coupons')
    .selectAll()
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .limit(p.limit),
);

/** Not if the code was enabled or disabled again in the meantime. */
export const saveStoreCoupon = saveIn(
  'store_coupons',
  ['created', 'attempts', 'due_at', 'error'],
  'connection_id',
  'coupon_id',
  'active',
);

/** The newest codes that could not be created or changed in the store, with the reason. */
export const listFailedCoupons = readAll<
  { connection_id: number; limit: number },
  Pick<StoreCouponRow, 'code' | 'error'>
>((db, p) =>
  db
    .selectFrom('store_coupons')
    .select(['code', 'error'])
    .where('connection_id', '=', p.connection_id)
    // Literal, as the partial index store_coupons_failed needs it.
    .where(sql<boolean>`error <> ''`)
    .orderBy('coupon_id', 'desc')
    .limit(p.limit),
);
