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

const heldClaim = query<{ id: number; claimed_at: number }, { id: number }>(
  (db, p, _given, dialect) =>
    dialect.lockForUpdate(
      db
        .selectFrom('coupons')
        .select('id')
        .where('id', '=', p.id)
        .where('refreshed_at', '=', p.claimed_at),
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
 * Whether no later rebuild has claimed the coupon. Until the transaction ends none can: its corrections
 * are seen by the comparison of every later rebuild, and nothing is corrected twice.
 */
export async function holdsClaim(
  tx: Transaction,
  couponId: number,
  claimedAtMs: number,
): Promise<boolean> {
  return (await tx.first(heldClaim, { id: couponId, claimed_at: claimedAtMs })) !== undefined;
}
