import type { Transaction } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { rowQuery } from '../../../db/statements/row-query.ts';
import type { RowOf } from '../../../db/tables.ts';
import type { PayoutRow } from './payout-rows.ts';

/** A change of the status, with what leads to its mails. */
export type RecordedChange = Pick<
  RowOf<'payout_changes'>,
  'status' | 'changed_at' | 'mail' | 'occasion'
>;

const insert = rowQuery<RecordedChange & { payout_id: number }>((db, row) =>
  db.insertInto('payout_changes').values(row),
);

export async function insertChange(
  tx: Transaction,
  { id, status, changed_at }: PayoutRow,
  { mail, occasion }: Pick<RecordedChange, 'mail' | 'occasion'>,
): Promise<void> {
  await tx.run(insert, { payout_id: id, status, changed_at, mail, occasion });
}

export const findChanges = readAll<{ payout_id: number }, RecordedChange>((db, p) =>
  db
    .selectFrom('payout_changes')
    .select(['status', 'changed_at', 'mail', 'occasion'])
    .where('payout_id', '=', p.payout_id)
    .orderBy('id'),
);
