import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { byNumber } from '../../../src/db/statements/keyed-query.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import type { PayoutStatus } from '../payout/payout-status.ts';

/** The most payouts that one request may name. */
const BATCH_MAX = 500;

export const PayoutIds = Type.Array(Id('A payout.'), {
  minItems: 1,
  maxItems: BATCH_MAX,
  uniqueItems: true,
  description: `The payouts, at most ${BATCH_MAX}.`,
});

const statusOf = byNumber<{ id: number; status: PayoutStatus }>((db, isKey) =>
  db.selectFrom('payouts').select(['id', 'status']).where(isKey('id')),
);

export async function findStatuses(
  db: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PayoutStatus>> {
  const rows = await db.allByKeys(statusOf, ids);
  return new Map(rows.map(({ id, status }) => [id, status]));
}
