import type { Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import type { UserRow } from '../users/index.ts';
import { affiliateCreated } from './affiliate-events.ts';
import { runNewAffiliateHooks } from './affiliate-extra.ts';
import { findAffiliate, lockAffiliate, saveAffiliate } from './affiliate-rows.ts';
import { type ProfileInput, readProfile, withInput } from './profile.ts';

/** Replaces only the role customer: an administrator keeps the role. */
const promote = query<{ id: number }>((db, p) =>
  db
    .updateTable('users')
    .set({ role: 'affiliate', roster_due: 1 })
    .where('id', '=', p.id)
    .where('role', '=', 'customer'),
);

/** Makes a user an affiliate and emits the event; does nothing for an affiliate. */
export async function enrollUser(
  tx: Transaction,
  site: Site,
  caller: Caller,
  user: Pick<UserRow, 'id'>,
  profile: Static<typeof ProfileInput>,
  nowMs: number,
): Promise<void> {
  await lockAffiliate(tx, user.id);
  if (await findAffiliate(tx, user.id)) return;
  await tx.run(promote, { id: user.id });
  await saveAffiliate(tx, user.id, {
    status: 'active',
    profile: JSON.stringify(withInput(readProfile('{}'), profile)),
    registered_at: nowMs,
  });
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  emit(tx, affiliateCreated, {
    objectId: user.id,
    userId: actorId(caller),
    info: `Affiliate ${user.id} created.`,
    data: { user_id: user.id },
    nowMs,
  });
  await runNewAffiliateHooks(tx, site, user.id, nowMs);
}
