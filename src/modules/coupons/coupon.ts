import type { Reader, Transaction } from '../../db/database.ts';
import { totalsOf } from '../../kernel/cache/total-cache.ts';
import { actorId, isAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import type { RateColumns } from '../groups/index.ts';
import { findUser, noSuchUser } from '../users/index.ts';
import { formerAccountsOf } from './account-rows.ts';
import { couponCreated, couponUpdated, type ChangedCouponField } from './coupon-events.ts';
import { findCoupon, findCouponToChange, insertCoupon, type CouponRow } from './coupon-rows.ts';
import type { MovedBalance } from './hand-over.ts';

export async function requireCoupon(db: Reader, id: number): Promise<CouponRow> {
  return requireFound(await findCoupon(db, { id }));
}

/** The same, and locks the coupon until the transaction ends. */
export async function requireCouponToChange(tx: Transaction, id: number): Promise<CouponRow> {
  return requireFound(await findCouponToChange(tx, { id }));
}

/** Lets other modules decide that a caller may read a coupon, besides admins and its owner. */
export type CouponReader = (db: Reader, ownerId: number, personId: number) => Promise<boolean>;

export const couponReaders = new Point<CouponReader>('coupons.readers');

/** Whether another module has rows that refer to a coupon, which then cannot be deleted. */
export type CouponRecords = (db: Reader, couponId: number) => Promise<boolean>;

export const couponRecords = new Point<CouponRecords>('coupons.records');

/** For admins and the affiliate it is assigned to; for anyone else it does not exist. */
export async function requireOwnCoupon(db: Reader, caller: Caller, id: number): Promise<CouponRow> {
  const coupon = await findCoupon(db, { id });
  if (coupon && isAdminOrOwner(coupon, caller)) return coupon;
  throw new ApiError(generalErrors.notFound);
}

/**
 * For admins, and for every affiliate with an account on the coupon, today's and former ones. Resolves to whose entries
 * the caller may see: undefined for all.
 */
export async function requireAccount(
  db: Reader,
  caller: Caller,
  id: number,
): Promise<number | undefined> {
  const coupon = await requireCoupon(db, id);
  if (isAdmin(caller)) return undefined;
  const userId = caller.person?.id;
  if (userId === undefined) throw new ApiError(generalErrors.notFound);
  if (coupon.user_id === userId) return userId;
  const former = await formerAccountsOf(db, [userId]);
  if (former.some(({ coupon_id }) => coupon_id === id)) return userId;
  throw new ApiError(generalErrors.notFound);
}

/** The same as `requireOwnCoupon`, and for callers that other modules allow to read it. */
export async function requireReadableCoupon(
  db: Reader,
  site: Site,
  caller: Caller,
  id: number,
): Promise<CouponRow> {
  return requireReadable(db, site, caller, await findCoupon(db, { id }));
}

export async function requireReadable<C extends Pick<CouponRow, 'user_id'>>(
  db: Reader,
  site: Site,
  caller: Caller,
  coupon: C | undefined,
): Promise<C> {
  if (coupon && isAdminOrOwner(coupon, caller)) return coupon;
  if (coupon && coupon.user_id !== null && caller.person !== null) {
    for (const mayRead of site.registry.contributions(couponReaders)) {
      if (await mayRead(db, coupon.user_id, caller.person.id)) return coupon;
    }
  }
  throw new ApiError(generalErrors.notFound);
}

function isAdminOrOwner(coupon: Pick<CouponRow, 'user_id'>, caller: Caller): boolean {
  return isAdmin(caller) || (caller.person !== null && coupon.user_id === caller.person.id);
}

export async function requireAssignable(db: Reader, userId: number | null): Promise<void> {
  if (userId === null || (await findUser(db, userId))) return;
  throw noSuchUser();
}

/** Creates a coupon and emits the event. Every path that creates one uses this. */
export async function addCoupon(
  tx: Transaction,
  site: Site,
  caller: Caller,
  coupon: {
    code: string;
    user_id: number | null;
    rates: Partial<RateColumns>;
    discount?: string | null;
  },
  nowMs: number,
): Promise<CouponRow> {
  tx.afterCommitEverywhere(() => totalsOf(site).forget());
  const row = await insertCoupon(tx, {
    code: coupon.code,
    user_id: coupon.user_id,
    percent: null,
    fixed_per_order: null,
    fixed_per_product: null,
    ...coupon.rates,
    discount: coupon.discount ?? null,
    created_at: nowMs,
  });
  emit(tx, couponCreated, {
    objectId: row.id,
    userId: actorId(caller),
    info: `Coupon ${row.code} created.`,
    data: { coupon_id: row.id, user_id: row.user_id },
    nowMs,
  });
  return row;
}

export async function emitCouponChange(
  tx: Transaction,
  site: Site,
  caller: Caller,
  coupon: CouponRow,
  changed: ChangedCouponField[],
  nowMs: number,
  balance?: MovedBalance,
): Promise<void> {
  tx.afterCommitEverywhere(() => totalsOf(site).forget());
  emit(tx, couponUpdated, {
    objectId: coupon.id,
    userId: actorId(caller),
    info: `Coupon ${coupon.code} changed: ${changed.join(', ')}.${balance ? movedWithIt(balance) : ''}`,
    data: {
      coupon_id: coupon.id,
      user_id: coupon.user_id,
      changed,
      ...(balance && { balance }),
    },
    nowMs,
  });
}

function movedWithIt({ unpaid_commission, pending_order_commission, currency }: MovedBalance) {
  return (
    ` Its balance moved with it: ${unpaid_commission} ${currency} unpaid, ` +
    `${pending_order_commission} ${currency} awaiting.`
  );
}
