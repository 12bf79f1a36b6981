import type { Reader } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import { ApiError, defineError } from '../../../src/kernel/declare/errors.ts';
import type { PayoutRow } from '../payout/payout-rows.ts';

export const alreadyRetried = defineError(
  'svc_api_already_retried',
  409,
  'This payout has already been retried.',
);

const byFailed = query<{ id: number }, { id: number }>((db, p) =>
  db.selectFrom('payouts').select('id').where('retry_of', '=', p.id),
);

/** Throws if a failed payout must not be retried. The caller holds the lock of the coupon's balances. */
export async function requireRetryable(db: Reader, failed: PayoutRow): Promise<void> {
  const retry = await db.first(byFailed, { id: failed.id });
  if (retry) {
    throw new ApiError(alreadyRetried, {
      message: `This payout has been retried already, as payout ${retry.id}.`,
      data: { payout_id: retry.id },
    });
  }
}
