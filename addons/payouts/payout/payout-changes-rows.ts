import type { Transaction } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { defineWrites } from '../../../src/db/unit-of-work.ts';

/** A change of the status, with what leads to its mails. */
export type RecordedChange = Pick<
  RowOf<'payout_changes'>,
  'status' | 'changed_at' | 'mail' | 'occasion'
>;

type NewChange = RecordedChange & { payout_id: number };

const insertAll = insertRows<NewChange>('payout_changes');

const pendingChanges = defineWrites({
  name: 'payout changes',
  after: 'events',
  create: () => {
    const rows: NewChange[] = [];
    return { rows, flush: (tx: Transaction) => tx.runMany(insertAll, rows) };
  },
});

export function addChange(tx: Transaction, change: NewChange): void {
  tx.pending(pendingChanges).rows.push(change);
}

export const findChanges = readAll<{ payout_id: number }, RecordedChange>((db, p) =>
  db
    .selectFrom('payout_changes')
    .select(['status', 'changed_at', 'mail', 'occasion'])
    .where('payout_id', '=', p.payout_id)
    .orderBy('id'),
);
