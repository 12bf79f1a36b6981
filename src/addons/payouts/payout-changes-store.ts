import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { PayoutRow } from './payout-store.ts';
import type { PayoutChangesTable } from './tables.ts';

/** A change of the status, with what leads to its mails. */
export type RecordedChange = Pick<
  PayoutChangesTable,
  'status' | 'changed_at' | 'mail' | 'occasion'
>;

const insert = query<RecordedChange & { payout_id: number }>((db, p) =>
  db.insertInto('payout_changes').values({
    payout_id: p.payout_id,
    status: p.status,
    changed_at: p.changed_at,
    mail: p.mail,
    occasion: p.occasion,
  }),
);

export async function insertChange(
  tx: Transaction,
  { id, status, changed_at }: PayoutRow,
  { mail, occasion }: Pick<RecordedChange, 'mail' | 'occasion'>,
): Promise<void> {
  await tx.run(insert, { payout_id: id, status, changed_at, mail, occasion });
}

const ofPayout = query<{ payout_id: number }, RecordedChange>((db, p) =>
  db
    .selectFrom('payout_changes')
    .select(['status', 'changed_at', 'mail', 'occasion'])
    .where('payout_id', '=', p.payout_id)
    .orderBy('id'),
);

export function findChanges(db: Reader, payoutId: number): Promise<RecordedChange[]> {
  return db.all(ofPayout, { payout_id: payoutId });
}

/** Adds what an earlier version did not record: the request, and the last change. */
export function completeChanges(
  { status, requested_at, paid_at }: PayoutRow,
  found: readonly RecordedChange[],
): (Omit<RecordedChange, 'changed_at'> & { changed_at: number | null })[] {
  const unknown = { mail: '', occasion: '' };
  const changes: ReturnType<typeof completeChanges> = [...found];
  // The first change of a payout has the time of its request, unless an earlier version stored the payout.
  if (found[0]?.changed_at !== requested_at) {
    changes.unshift({ status: 'pending', changed_at: requested_at, ...unknown });
  }
  if (changes.at(-1)!.status !== status) changes.push({ status, changed_at: paid_at, ...unknown });
  return changes;
}
