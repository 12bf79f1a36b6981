import type { Caller, CredentialKind } from '../../kernel/caller.ts';
import { CredentialCache } from '../../kernel/credential-cache.ts';
import { generalErrors } from '../../kernel/errors.ts';
import { perSite, type Site } from '../../kernel/site.ts';
import { toPerson } from '../users/index.ts';
import { findSession } from './session-store.ts';
import { lastSeenOf } from './last-seen.ts';
import {
  csrfTokenOf,
  hashSession,
  readSessionCookie,
  SESSION_AGE_MAX_MS,
  SESSION_IDLE_MAX_MS,
} from './session.ts';

interface KnownSession {
  caller: Caller;
  tokenHash: string;
  createdAtMs: number;
  seenAtMs: number;
  savedSeenAtMs: number;
}

const knownSessions = perSite((site) => new CredentialCache<KnownSession>(site));

/** The cookie of a signed-in browser. */
export const sessionCredential: CredentialKind = {
  method: 'session',
  needsHttps: false,
  // A browser with a cookie that has run out is not an attack, and a session cannot be guessed.
  countsFailures: false,
  refusal: generalErrors.unauthorized,

  find({ cookie }, secure) {
    return cookie === undefined ? undefined : readSessionCookie(cookie, secure);
  },

  verify(token, site, nowMs) {
    const known = knownSessions(site).find(token, () => load(token, site));
    return known instanceof Promise
      ? known.then((session) => admit(session, site, nowMs))
      : admit(known, site, nowMs);
  },
};

async function load(token: string, site: Site): Promise<KnownSession | undefined> {
  const tokenHash = hashSession(site, token);
  const row = await findSession(site.database.read, tokenHash);
  if (!row) return undefined;
  return {
    tokenHash,
    createdAtMs: row.session_created_at,
    seenAtMs: lastSeenOf(site).latestOf(tokenHash, row.seen_at),
    savedSeenAtMs: row.seen_at,
    caller: {
      kind: 'person',
      person: toPerson(row),
      suspended: row.affiliate_status === 'suspended',
      method: 'session',
      keyId: null,
      scopes: null,
      identity: `user:${row.id}`,
      csrfToken: csrfTokenOf(site, token),
    },
  };
}

function admit(session: KnownSession | undefined, site: Site, nowMs: number): Caller | undefined {
  if (!session) return undefined;
  if (nowMs - session.createdAtMs >= SESSION_AGE_MAX_MS) return undefined;
  if (nowMs - session.seenAtMs >= SESSION_IDLE_MAX_MS) return undefined;
  session.seenAtMs = nowMs;
  lastSeenOf(site).note(session.tokenHash, session.savedSeenAtMs, nowMs);
  return session.caller;
}
