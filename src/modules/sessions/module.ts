import { creating } from '../../db/create-tables.ts';
import { proofRequired } from '../../kernel/call/proof.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { correctAttempts } from './attempt-rows.ts';
import { getSession } from './get-session.ts';
import { writeLastSeen } from './last-seen.ts';
import { endOtherSessions } from './own/end-other-sessions.ts';
import { endOwnSession } from './own/end-own-session.ts';
import { listOwnSessions } from './own/list-own-sessions.ts';
import { proveSession, wrongProof } from './prove-session.ts';
import { sessionCredential } from './session-credential.ts';
import { sessionCreated, sessionEnded } from './session-events.ts';
import { correctSessions } from './session-rows.ts';
import { pruneSessions } from './session.ts';
import { pruneAttempts } from './sign-in-delay.ts';
import { correctSteps } from './sign-in-step-rows.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { tables } from './tables.ts';

export const sessionsModule = defineModule({
  name: 'sessions',
  summary: 'Signing in with a browser',
  addon: false,
  operations: [
    signIn,
    getSession,
    signOut,
    proveSession,
    listOwnSessions,
    endOwnSession,
    endOtherSessions,
  ],
  events: [sessionCreated, sessionEnded],
  errors: [proofRequired, wrongProof],
  jobs: [writeLastSeen, pruneSessions, pruneAttempts],
  migrations: [creating('sessions/0001-baseline', tables)],
  async correctInstants(site, nowMs) {
    await correctSessions(site, nowMs);
    await correctSteps(site, nowMs);
    await correctAttempts(site.database, { now: nowMs });
  },
  credentials: [sessionCredential],
});
