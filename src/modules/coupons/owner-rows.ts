import type { Reader, Transaction } from '../../db/database.ts';
import { readByNumbers, write } from '../../db/statements/calls.ts';
import { removeFrom } from '../../db/statements/plain-calls.ts';
import type { RowOf } from '../../db/tables.ts';

type OwnedCoupon = Pick<RowOf<'coupons'>, 'id' | 'user_id' | 'owned_since'>;
export type CouponOwner = Omit<RowOf<'coupon_owners'>, 'id'>;

/** Where `former_accounts` and the ledger have an account without an affiliate. */
const NO_AFFILIATE = 0;

/** The id of the affiliate of an account, as `former_accounts` and the ledger have it. */
export function toOwnerId(userId: number | null): number {
  return userId ?? NO_AFFILIATE;
}

export function fromOwnerId(ownerId: number): number | null {
  return ownerId === NO_AFFILIATE ? null : ownerId;
}

/** The affiliates of coupons with their times, oldest first. */
export const ownersAt: (db: Reader, couponIds: readonly number[]) => Promise<CouponOwner[]> =
  readByNumbers((db, isKey) =>
    db
      .selectFrom('coupon_owners')
      .select(['coupon_id', 'user_id', 'since', 'until'])
      .where(isKey('coupon_id'))
      .orderBy('coupon_id')
      .orderBy('id'),
  );

const insert = write<CouponOwner>((db, p) =>
  db
    .insertInto('coupon_owners')
    .values({ coupon_id: p.coupon_id, user_id: p.user_id, since: p.since, until: p.until }),
);

const end = write<{ coupon_id: number; until: number }>((db, p) =>
  db
    .updateTable('coupon_owners')
    .set({ until: p.until })
    .where('coupon_id', '=', p.coupon_id)
    .where('until', 'is', null),
);

const replace = write<{ coupon_id: number; user_id: number | null }>((db, p) =>
  db
    .updateTable('coupon_owners')
    .set({ user_id: p.user_id })
    .where('coupon_id', '=', p.coupon_id)
    .where('until', 'is', null),
);

export const removeOwners = removeFrom('coupon_owners', 'coupon_id');

/** The first owner had the coupon from the beginning, so that orders from before its creation can be imported. */
export function recordFirstOwner(
  tx: Transaction,
  { id, user_id }: Omit<OwnedCoupon, 'owned_since'>,
): Promise<number> {
  return insert(tx, { coupon_id: id, user_id, since: 0, until: null });
}

/** Records another owner, and resolves to `owned_since` of the coupon: null for the first owner. */
export async function recordOwner(
  tx: Transaction,
  { id, user_id: former, owned_since }: OwnedCoupon,
  user_id: number | null,
  nowMs: number,
): Promise<number | null> {
  if (former === null && owned_since === null) {
    await replace(tx, { coupon_id: id, user_id });
    return null;
  }
  // Orders have their time in seconds: one that is placed after the change belongs to the new owner. Clocks may go back.
  const since = Math.max(nowMs - (nowMs % 1_000), owned_since ?? 0);
  await end(tx, { coupon_id: id, until: since });
  await insert(tx, { coupon_id: id, user_id, since, until: null });
  return since;
}
