import { CredentialCache } from '../../kernel/cache/credential-cache.ts';
import type { Caller, CredentialKind } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { toPerson } from '../users/index.ts';
import { lastSeenOf } from './last-seen.ts';
import { secondFactorsOf } from './second-factors.ts';
import { findSession } from './session-rows.ts';
import {
  csrfTokenOf,
  hashSession,
  readSessionCookie,
  SESSION_AGE_MAX_MS,
  SESSION_IDLE_MAX_MS,
  sessionIdOf,
} from './session.ts';

interface KnownSession {
  caller: Caller;
  /** The caller where a second factor is required; only for an administrator who has none. */
  unprotected: Caller | undefined;
  tokenHash: string;
  created: Moment;
  seen: Moment;
  savedSeenAtMs: number;
}

/** By the calendar and by the monotonic clock. */
interface Moment {
  readonly calendarMs: number;
  readonly monotonicMs: number;
}

/** A moment of the past as it is stored; one of the future is from a wrong clock, and is now. */
function momentOf(site: Site, storedMs: number): Moment {
  const nowMs = site.clock();
  const calendarMs = Math.min(storedMs, nowMs);
  return { calendarMs, monotonicMs: site.monotonic() - (nowMs - calendarMs) };
}

/** Instances share the clock of the database, but read it at slightly different times. */
const SKEW_MAX_MS = 60_000;

/** Never is safe for a proof: unlike other moments, one of the future counts as none. */
function proofOf(site: Site, storedMs: number): Moment {
  return storedMs > site.clock() + SKEW_MAX_MS
    ? { calendarMs: -Infinity, monotonicMs: -Infinity }
    : momentOf(site, storedMs);
}

/** Uses the clock that has advanced further: the system clock can be set back, the monotonic one stops during suspend. */
function msSince(moment: Moment, site: Site, nowMs: number): number {
  return Math.max(nowMs - moment.calendarMs, site.monotonic() - moment.monotonicMs);
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
  if (!row || row.disabled_at !== null) return undefined;
  const proved = proofOf(site, row.proved_at);
  const session = {
    id: sessionIdOf(site, tokenHash),
    tokenHash,
    msSinceProof: (nowMs: number) => msSince(proved, site, nowMs),
  };
  const caller: Caller = {
    kind: 'person',
    person: toPerson(row),
    suspended: row.affiliate_status === 'suspended',
    method: 'session',
    keyId: null,
    scopes: null,
    identity: `user:${row.id}`,
    csrfToken: csrfTokenOf(site, token),
    session: { ...session, awaitsSecondFactor: false },
  };
  return {
    tokenHash,
    created: momentOf(site, row.session_created_at),
    seen: momentOf(site, lastSeenOf(site).latestOf(tokenHash, row.seen_at)),
    savedSeenAtMs: row.seen_at,
    caller,
    unprotected: (await lacksSecondFactor(site, caller))
      ? { ...caller, session: { ...session, awaitsSecondFactor: true } }
      : undefined,
  };
}

/** Only administrators can be required to have one, so no other session costs a second query. */
async function lacksSecondFactor(site: Site, { person }: Caller): Promise<boolean> {
  const factors = secondFactorsOf(site);
  if (!factors || person?.role !== 'administrator') return false;
  return (await factors.methodsOf(site.database.read, person.id)).length === 0;
}

function admit(session: KnownSession | undefined, site: Site, nowMs: number): Caller | undefined {
  if (!session) return undefined;
  if (msSince(session.created, site, nowMs) >= SESSION_AGE_MAX_MS) return undefined;
  if (msSince(session.seen, site, nowMs) >= SESSION_IDLE_MAX_MS) return undefined;
  session.seen = { calendarMs: nowMs, monotonicMs: site.monotonic() };
  lastSeenOf(site).note(session.tokenHash, session.savedSeenAtMs, nowMs);
  if (session.unprotected && secondFactorsOf(site)?.isRequiredOfAdministrators(site)) {
    return session.unprotected;
  }
  return session.caller;
}
