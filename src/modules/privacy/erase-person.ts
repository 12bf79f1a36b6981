import type { Transaction } from '../../db/database.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { emit } from '../events/index.ts';
import { personErasures, type ErasureContext } from './erasure.ts';
import { affiliateAnonymised } from './person-events.ts';

/** Erases what all modules store about a person, and emits the event. The caller has checked that no money is open. */
export async function erasePerson(tx: Transaction, context: ErasureContext): Promise<void> {
  const { site, caller, user, nowMs } = context;
  // Also what an add-on stored that is switched off now.
  for (const { erase } of site.registry.allContributions(personErasures)) await erase(tx, context);
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  tx.afterCommit(() => site.database.emptyLog());
  emit(tx, affiliateAnonymised, {
    objectId: user.id,
    userId: actorId(caller),
    info: `The personal data of affiliate ${user.id} was erased.`,
    data: { user_id: user.id },
    nowMs,
  });
}
