import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { replaceGroups } from './membership.ts';

const demote = query<{ id: number }>((db, p) =>
  db
    .updateTable('users')
    .set({ role: 'customer', roster_due: 1 })
    .where('id', '=', p.id)
    .where('role', '=', 'affiliate'),
);

const remove = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('affiliates').where('user_id', '=', p.user_id),
);

/** Makes a user without coupons no affiliate any more: lists and counts no longer include it. */
export async function endMembership(tx: Transaction, site: Site, userId: number): Promise<void> {
  await replaceGroups(tx, userId, []);
  await tx.run(remove, { user_id: userId });
  await tx.run(demote, { id: userId });
  tx.afterCommitEverywhere(() => site.invalidateCaches());
}
