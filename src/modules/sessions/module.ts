import { defineModule } from '../../kernel/declare/module.ts';
import { webEnabled } from '../web/index.ts';
import { finishSetup } from './setup/finish-setup.ts';
import { getSession } from './get-session.ts';
import { migrations } from './migrations.ts';
import { writeLastSeen } from './last-seen.ts';
import { proveSession, wrongProof } from './prove-session.ts';
import { proofRequired } from './require-proof.ts';
import { pruneSessions } from './prune-sessions.ts';
import { sessionCredential } from './session-credential.ts';
import { saveSetupStep } from './setup/save-setup-step.ts';
import { showSetup } from './setup/show-setup.ts';
import { endOtherSessions } from './own/end-other-sessions.ts';
import { endOwnSession } from './own/end-own-session.ts';
import { listOwnSessions } from './own/list-own-sessions.ts';
import { sessionCreated, sessionEnded } from './session-events.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { correctSessions } from './session-store.ts';
import { correctSteps } from './sign-in-step-store.ts';
import { correctSetupLinks } from './setup/setup-link.ts';
import { correctAttempts } from './attempt-store.ts';
import { pruneAttempts } from './sign-in-delay.ts';
import { tables } from './tables.ts';

const setupPages = [showSetup, saveSetupStep, finishSetup];

export const sessionsModule = defineModule({
  name: 'sessions',
  summary: 'Signing in with a browser, and the first administrator',
  addon: false,
  operations: [
    signIn,
    getSession,
    signOut,
    proveSession,
    listOwnSessions,
    endOwnSession,
    endOtherSessions,
    ...setupPages,
  ],
  switches: [{ setting: webEnabled, operations: setupPages }],
  events: [sessionCreated, sessionEnded],
  errors: [proofRequired, wrongProof],
  jobs: [writeLastSeen, pruneSessions, pruneAttempts],
  tables,
  migrations,
  async correctInstants(site, nowMs) {
    await correctSessions(site, nowMs);
    await correctSetupLinks(site, nowMs);
    await correctSteps(site, nowMs);
    await correctAttempts(site.database, nowMs);
  },
  credentials: [sessionCredential],
});
