import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { PayoutRow } from './payout-store.ts';
import type { PayoutChangesTable } from './tables.ts';

type Change = Pick<PayoutChangesTable, 'status' | 'changed_at'>;

const insert = query<Change & { payout_id: number }>((db, p) =>
  db
    .insertInto('payout_changes')
    .values({ payout_id: p.payout_id, status: p.status, changed_at: p.changed_at }),
);

export async function insertChange(
  tx: Transaction,
  { id, status }: PayoutRow,
  nowMs: number,
): Promise<void> {
  await tx.run(insert, { payout_id: id, status, changed_at: nowMs });
}

const ofPayout = query<{ payout_id: number }, Change>((db, p) =>
  db
    .selectFrom('payout_changes')
    .select(['status', 'changed_at'])
    .where('payout_id', '=', p.payout_id)
    .orderBy('id'),
);

export function findChanges(db: Reader, payoutId: number): Promise<Change[]> {
  return db.all(ofPayout, { payout_id: payoutId });
}
