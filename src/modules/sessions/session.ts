import { parseCookie } from 'cookie';
import type { Transaction } from '../../db/database.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { hostCookie, setHostCookie } from '../../shared/host-cookie.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { emit } from '../events/index.ts';
import { deviceCookie } from './device-cookie.ts';
import { sessionCreated, sessionEnded } from './session-events.ts';
import {
  insertSession,
  listFormerSessions,
  removeSession,
  removeSessionsSeenBefore,
} from './session-rows.ts';
import { removeExpiredSteps } from './sign-in-step-rows.ts';

export const SESSION_IDLE_MAX_MS = 30 * 60_000;
export const SESSION_AGE_MAX_MS = 12 * 60 * 60_000;
/** @public For tests. */
export const SESSIONS_MAX = 20;

const COOKIE = 'tributary_session';

export function cookieName(secure: boolean): string {
  return hostCookie(COOKIE, secure);
}

export function readSessionCookie(header: string, secure: boolean): string | undefined {
  return parseCookie(header)[cookieName(secure)];
}

/**
 * Opens a session and gives what the browser keeps of it. The session that the browser had before
 * ends: its cookie is replaced, so that no sign-out could end it any more. Of more than `SESSIONS_MAX` the oldest ends.
 */
export async function openSession(
  tx: Transaction,
  site: Site,
  userId: number,
  request: Pick<RequestFacts, 'secure' | 'cookie' | 'userAgent' | 'address'>,
  { isProved = true }: { isProved?: boolean } = {},
): Promise<{ cookie: string; deviceCookie: string; csrfToken: string }> {
  const { secure } = request;
  const former = request.cookie(cookieName(secure));
  if (former !== undefined) await endSession(tx, site, former);
  const now = site.clock();
  const tooOld = await listFormerSessions(tx, { user_id: userId, kept: SESSIONS_MAX - 1 });
  for (const { token_hash } of tooOld) await endSessionWith(tx, site, token_hash);
  if (tooOld.length > 0) {
    emit(tx, sessionEnded, {
      objectId: userId,
      userId,
      info: `Older sessions ended: a user has at most ${SESSIONS_MAX}.`,
      data: { user_id: userId, sessions: tooOld.length },
      nowMs: now,
    });
  }
  const token = randomBase62(43);
  await insertSession(tx, {
    token_hash: hashSession(site, token),
    user_id: userId,
    created_at: now,
    seen_at: now,
    user_agent: storableUserAgent(request.userAgent),
    address: request.address,
    // After a mailed link alone, what touches money asks for the password.
    proved_at: isProved ? now : 0,
  });
  emit(tx, sessionCreated, {
    objectId: userId,
    userId,
    info: 'Signed in.',
    data: { user_id: userId },
    nowMs: now,
  });
  return {
    cookie: setHostCookie(COOKIE, token, { secure }),
    deviceCookie: deviceCookie(site, userId, request),
    csrfToken: csrfTokenOf(site, token),
  };
}

export function endSession(tx: Transaction, site: Site, token: string): Promise<void> {
  return endSessionWith(tx, site, hashSession(site, token));
}

async function endSessionWith(tx: Transaction, site: Site, token_hash: string): Promise<void> {
  const removed = await removeSession(tx, { token_hash });
  if (removed) tx.afterCommitEverywhere(() => site.invalidateCaches());
}

export function clearCookie(secure: boolean): string {
  return setHostCookie(COOKIE, '', { secure, maxAge: 0 });
}

const USER_AGENT_LENGTH_MAX = 300;

/** The header is stored for the list of sessions, so it must be text that can be stored and shown. */
function storableUserAgent(header: string): string {
  return header
    .replaceAll(/[^\u0020-\u007e]+/g, ' ')
    .trim()
    .slice(0, USER_AGENT_LENGTH_MAX);
}

/** The id that people see. It is derived from the hash, so that neither the token nor its hash is shown. */
export function sessionIdOf(site: Site, tokenHash: string): string {
  return site.keyring.hash('session id', tokenHash).slice(0, 22);
}

export function hashSession(site: Site, token: string): string {
  return site.keyring.hash('session', token);
}

/** Derived from the session token, so that only its holder knows it, and not stored. */
export function csrfTokenOf(site: Site, token: string): string {
  return site.keyring.hash('csrf', token);
}

export const pruneSessions: Job = {
  name: 'sessions.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  async run({ database, clock }) {
    await removeSessionsSeenBefore(database, { seen_before: clock() - SESSION_AGE_MAX_MS });
    await removeExpiredSteps(database, { now: clock() });
  },
};
