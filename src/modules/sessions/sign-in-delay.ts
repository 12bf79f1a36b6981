import type { Transaction } from '../../db/database.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { RequestFacts } from '../../kernel/declare/operation.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { foldAddress } from '../../shared/email-address.ts';
import type { UserRow } from '../users/index.ts';
import {
  findAttempts,
  removeAttempts,
  removeOldAttempts,
  saveAttempts,
  type AttemptsRow,
} from './attempt-rows.ts';
import { knownDeviceOf } from './device-cookie.ts';

const FREE_ATTEMPTS = 10;
const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 60_000;
/** How long a network is known after a sign-in. */
const KNOWN_MS = 30 * DAY_MS;

export interface Attempter {
  /** Undefined if no user has the login. */
  user: UserRow | undefined;
  login: string;
  /** Set if a session proves again who its user is. */
  caller?: Caller | undefined;
  /** Codes and passkeys are counted apart from passwords: a right password must not forget wrong codes. */
  isSecondStep?: boolean | undefined;
}

/** An attempt that was allowed. */
export interface Attempt {
  /** The right password or code forgets the failures, and makes the network known. */
  succeed(): Promise<void>;
}

/**
 * Allows an attempt to sign in, or refuses it with the seconds to wait. Ten attempts for one account are free; after
 * each further one the wait doubles, from one second to a minute. The attempt is counted before the password is
 * checked, so that attempts at the same time count like consecutive ones.
 *
 * Attempts are counted for the name that was typed, whether an account has it or not: counted for the account, the
 * delay would tell which login and address belong together. A session, a browser that has signed in before and a
 * network that has signed in within thirty days count on their own: an attacker who guesses passwords
 * delays other attackers, not the user. See decision 27.
 */
export async function beginAttempt(
  site: Site,
  attempter: Attempter,
  request: RequestFacts,
): Promise<Attempt> {
  const candidates = keysOf(site, attempter, request);
  const key = await site.database.transaction(async (tx) => {
    const counted = await chooseKey(tx, candidates, site.clock());
    await tx.lock(`sign-in attempts ${counted}`);
    await countAttempt(tx, counted, site.clock());
    return counted;
  });
  return {
    succeed: () =>
      site.database.transaction(async (tx) => {
        const { user, login, isSecondStep } = attempter;
        const seen_at = site.clock();
        await removeAttempts(tx, { key });
        for (const name of user ? [user.login, user.email] : [login]) {
          const { account, place } = keysOf(site, { user, login: name, isSecondStep }, request);
          await removeAttempts(tx, { key: account });
          await saveAttempts(tx, { key: place, failures: 0, free_at: 0, seen_at, known: 1 });
        }
      }),
  };
}

interface Keys {
  own: string | undefined;
  /** The name at this network. */
  place: string;
  account: string;
}

/** Keys are keyed hashes: what is typed as a login may be a password by mistake. */
function keysOf(
  site: Site,
  { user, login, caller, isSecondStep = false }: Attempter,
  request: RequestFacts,
): Keys {
  const hash = (text: string) => hashOf(site, isSecondStep ? `second step of ${text}` : text);
  // A caller at the second step knows the account.
  const who = isSecondStep && user ? `user ${user.id}` : nameKey(login);
  const own = caller?.session
    ? `session ${caller.session.tokenHash}`
    : knownDeviceOf(site, user?.id ?? 0, request);
  return {
    own: own === undefined ? undefined : hash(own),
    place: hash(`${who} from ${request.network}`),
    account: hash(who),
  };
}

function nameKey(login: string): string {
  return `login ${foldAddress(login)}`;
}

function hashOf({ keyring }: Site, text: string): string {
  return keyring.hash('sign-in attempts', text);
}

/** Forgets the attempts at an account. What was counted for its networks and browsers expires. */
export async function forgetAttempts(tx: Transaction, site: Site, user: UserRow): Promise<void> {
  const names = [user.login, user.email].map(nameKey);
  for (const who of [...names, `second step of user ${user.id}`]) {
    await removeAttempts(tx, { key: hashOf(site, who) });
  }
}

async function chooseKey(
  tx: Transaction,
  { own, place, account }: Keys,
  nowMs: number,
): Promise<string> {
  if (own !== undefined) return own;
  const row = await findAttempts(tx, { key: place });
  return row?.known === 1 && nowMs - row.seen_at < KNOWN_MS ? place : account;
}

async function countAttempt(tx: Transaction, key: string, nowMs: number): Promise<void> {
  const row = await findAttempts(tx, { key });
  const waitMs = row ? remainingMs(row, nowMs) : 0;
  if (waitMs > 0) {
    const retry_after = Math.ceil(waitMs / 1000);
    throw new ApiError(generalErrors.rateLimited, {
      message: 'Too many wrong passwords or codes for this account. Try again later.',
      data: { retry_after },
    });
  }
  const isForgotten = !row || nowMs - row.seen_at >= DAY_MS;
  const failures = (isForgotten ? 0 : row.failures) + 1;
  await saveAttempts(tx, {
    key,
    failures,
    free_at: nowMs + waitAfter(failures),
    seen_at: nowMs,
    known: row?.known ?? 0,
  });
}

/** A wait longer than the longest one was stored before the clock was set back. */
function remainingMs({ free_at }: AttemptsRow, nowMs: number): number {
  return free_at - nowMs > WAIT_MAX_MS ? 0 : free_at - nowMs;
}

function waitAfter(failures: number): number {
  if (failures < FREE_ATTEMPTS) return 0;
  return Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (failures - FREE_ATTEMPTS));
}

export const pruneAttempts: Job = {
  name: 'sessions.prune-attempts',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: (site) =>
    removeOldAttempts(site.database, {
      failed_before: site.clock() - DAY_MS,
      known_before: site.clock() - KNOWN_MS,
    }),
};
