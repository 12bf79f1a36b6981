import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';

/** The database decides which of several requests is the first. */
const claim = query<{ id: number; now: number; before: number }>((db, p) =>
  db
    .updateTable('coupons')
    .set({ refreshed_at: p.now })
    .where('id', '=', p.id)
    .where((eb) =>
      eb.or([
        eb('refreshed_at', 'is', null),
        eb('refreshed_at', '<=', p.before),
        // A later time comes from a clock that was ahead. It must not block refreshes until then.
        eb('refreshed_at', '>', p.now),
      ]),
    ),
);

const heldClaim = query<{ id: number; claimed_at: number; owner_id: number }, { id: number }>(
  (db, p, _given, dialect) =>
    dialect.lockForUpdate(
      db
        .selectFrom('coupons')
        .select('id')
        .where('id', '=', p.id)
        .where('refreshed_at', '=', p.claimed_at)
        .where(sql<boolean>`coalesce(user_id, 0) = ${p.owner_id}`),
    ),
);

/** Whether this call may rebuild: one per coupon and interval. */
export async function claimRefresh(
  tx: Transaction,
  couponId: number,
  nowMs: number,
  intervalMs: number,
): Promise<boolean> {
  return (await tx.run(claim, { id: couponId, now: nowMs, before: nowMs - intervalMs })) === 1;
}

/**
 * Whether no later rebuild has claimed the coupon, and it has not changed hands. Until the transaction ends none can: its corrections
 * are seen by the comparison of every later rebuild, and nothing is corrected twice.
 */
export async function holdsClaim(
  tx: Transaction,
  couponId: number,
  claimedAtMs: number,
  ownerId: number,
): Promise<boolean> {
  const claimed = { id: couponId, claimed_at: claimedAtMs, owner_id: ownerId };
  return (await tx.first(heldClaim, claimed)) !== undefined;
}
