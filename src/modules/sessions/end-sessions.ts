import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { sessionEnded } from './session-events.ts';
import { removeSessionsOf } from './session-rows.ts';
import { removeStepsOf } from './sign-in-step-rows.ts';

interface Whose {
  userId: number;
  /** The hash of the session that goes on. */
  except?: string | undefined;
  /** The hash of the only session that ends. */
  only?: string;
}

/** Ends sessions of a user on all instances. Returns how many there were. */
export async function endSessions(
  tx: Transaction,
  site: Site,
  whose: Whose,
  nowMs: number,
): Promise<number> {
  const { userId } = whose;
  if (whose.only === undefined) await removeStepsOf(tx, { user_id: userId });
  const ended = await removeSessionsOf(tx, whose);
  if (ended === 0) return 0;
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  emit(tx, sessionEnded, {
    objectId: userId,
    userId,
    info: ended === 1 ? 'A session was ended.' : `${ended} sessions were ended.`,
    data: { user_id: userId, sessions: ended },
    nowMs,
  });
  return ended;
}
