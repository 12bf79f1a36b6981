import type { Reader, Transaction } from '../../db/database.ts';
import type { RateColumns } from '../../db/tables.ts';
import { actorId, isAdmin, type Caller } from '../../kernel/caller.ts';
import { ApiError, generalErrors } from '../../kernel/errors.ts';
import type { Site } from '../../kernel/site.ts';
import { totalsOf } from '../../kernel/total-cache.ts';
import { emit } from '../events/index.ts';
import { findUser, noSuchUser } from '../users/index.ts';
import { couponCreated, couponUpdated, type ChangedCouponField } from './coupon-events.ts';
import { findCoupon, insertCoupon, type CouponRow } from './coupon-store.ts';

export async function requireCoupon(db: Reader, id: number): Promise<CouponRow> {
  const coupon = await findCoupon(db, id);
  if (!coupon) throw new ApiError(generalErrors.notFound);
  return coupon;
}

/** For admins and the affiliate it is assigned to; for anyone else it does not exist. */
export async function requireReadableCoupon(
  db: Reader,
  caller: Caller,
  id: number,
): Promise<CouponRow> {
  return requireReadable(await findCoupon(db, id), caller);
}

export function requireReadable<C extends CouponRow>(coupon: C | undefined, caller: Caller): C {
  const isOwner = caller.person !== null && coupon?.user_id === caller.person.id;
  if (!coupon || (!isAdmin(caller) && !isOwner)) throw new ApiError(generalErrors.notFound);
  return coupon;
}

export async function requireAssignable(db: Reader, userId: number | null): Promise<void> {
  if (userId === null || (await findUser(db, userId))) return;
  throw noSuchUser();
}

/** Creates a coupon and tells so: the same wherever one is created. */
export async function addCoupon(
  tx: Transaction,
  site: Site,
  caller: Caller,
  coupon: { code: string; user_id: number | null; rates: Partial<RateColumns> },
  nowMs: number,
): Promise<CouponRow> {
  tx.afterCommit(() => totalsOf(site).forget());
  const row = await insertCoupon(tx, {
    code: coupon.code,
    user_id: coupon.user_id,
    percent: null,
    fixed_per_order: null,
    fixed_per_product: null,
    ...coupon.rates,
    created_at: nowMs,
  });
  await emit(tx, couponCreated, {
    objectId: row.id,
    userId: actorId(caller),
    info: `Coupon ${row.code} created.`,
    data: { coupon_id: row.id, user_id: row.user_id },
    nowMs,
  });
  return row;
}

export async function tellChange(
  tx: Transaction,
  site: Site,
  caller: Caller,
  coupon: CouponRow,
  changed: ChangedCouponField[],
  nowMs: number,
): Promise<void> {
  tx.afterCommit(() => totalsOf(site).forget());
  await emit(tx, couponUpdated, {
    objectId: coupon.id,
    userId: actorId(caller),
    info: `Coupon ${coupon.code} changed: ${changed.join(', ')}.`,
    data: { coupon_id: coupon.id, user_id: coupon.user_id, changed },
    nowMs,
  });
}
