import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/query.ts';
import type { PayoutDetailsTable } from '../../db/tables.ts';
import type { Site } from '../../kernel/site.ts';

const PURPOSE = 'payout-details';

const ofUser = query<{ user_id: number }, PayoutDetailsTable>((db, p) =>
  db.selectFrom('payout_details').selectAll().where('user_id', '=', p.user_id),
);

const save = query<PayoutDetailsTable>((db, p) => {
  const changed = { method_type: p.method_type, details: p.details, updated_at: p.updated_at };
  return db
    .insertInto('payout_details')
    .values({ user_id: p.user_id, ...changed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changed));
});

export type Details = Record<string, unknown>;

export function findDetails(db: Reader, userId: number): Promise<PayoutDetailsTable | undefined> {
  return db.first(ofUser, { user_id: userId });
}

export async function saveDetails(
  tx: Transaction,
  site: Site,
  { userId, methodType, details }: { userId: number; methodType: string; details: Details },
  nowMs: number,
): Promise<void> {
  await tx.run(save, {
    user_id: userId,
    method_type: methodType,
    details: site.keyring.encrypt(PURPOSE, JSON.stringify(details)),
    updated_at: nowMs,
  });
}

export function readDetails(site: Site, encrypted: string): Details {
  return JSON.parse(site.keyring.decrypt(PURPOSE, encrypted)) as Details;
}
