import type { Job } from '../../kernel/declare/job.ts';
import { removeSessionsSeenBefore } from './session-store.ts';
import { removeExpiredSteps } from './sign-in-step-store.ts';
import { SESSION_AGE_MAX_MS } from './session.ts';

export const pruneSessions: Job = {
  name: 'sessions.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  async run({ database, clock }) {
    await removeSessionsSeenBefore(database, clock() - SESSION_AGE_MAX_MS);
    await removeExpiredSteps(database, clock());
  },
};
