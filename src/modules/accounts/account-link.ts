import type { Reader, Transaction } from '../../db/database.ts';
import type { Job } from '../../kernel/declare/job.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { MINUTE_MS, HOUR_MS, DAY_MS } from '../../shared/durations.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { findUser, type UserRow } from '../users/index.ts';
import {
  endLinks,
  findUsableLink,
  insertLink,
  recentLinks,
  removeLinksBefore,
  shortenLinks,
  useLinkRow,
  type LinkRow,
} from './link-rows.ts';
import { linkPurposes, type LinkPurpose } from './tables.ts';

/** How long a link works, and the page that it opens. */
const rules: Record<LinkPurpose, { lastsMs: number; page: string }> = {
  invitation: { lastsMs: 7 * DAY_MS, page: '/app/invitation' },
  reset: { lastsMs: HOUR_MS, page: '/app/reset' },
  email: { lastsMs: DAY_MS, page: '/app/confirm-email' },
  'sign-in': { lastsMs: 15 * MINUTE_MS, page: '/app/sign-in-link' },
};

/**
 * Mails that any caller can cause: one in five minutes, of which six in a day, three of them from one network; and one
 * in an hour whatever others have asked for, so that they cannot use up the mails of a person.
 */
const MAIL_EVERY_MS = 5 * MINUTE_MS;
const MAILS_PER_DAY = 6;
const MAILS_PER_DAY_AND_NETWORK = 3;
const ALWAYS_AFTER_MS = HOUR_MS;

interface LinkRequest {
  readonly userId: number;
  readonly purpose: LinkPurpose;
  readonly data?: string;
  /** Where the request comes from, if any caller can make it. */
  readonly network?: string | undefined;
}

/**
 * Makes a link that works once and gives its address. Older links of the same purpose go on, because any caller can
 * cause a new one; only the address that is to be confirmed is replaced. The address is a secret: it belongs into a
 * mail (`link` of `enqueueMail`) or onto a terminal, nowhere else.
 */
export async function createAccountLink(
  tx: Transaction,
  site: Site,
  { userId, purpose, data = '', network }: LinkRequest,
  nowMs: number,
): Promise<string> {
  const { lastsMs, page } = rules[purpose];
  const token = randomBase62(43);
  await lockLinks(tx, userId);
  if (purpose === 'email') await endLinks(tx, { user_id: userId, purpose, now: nowMs });
  await insertLink(tx, {
    token_hash: hash(site, token),
    user_id: userId,
    purpose,
    data,
    network_hash: hashNetwork(site, network),
    created_at: nowMs,
    expires_at: nowMs + lastsMs,
  });
  return `${site.publicUrl}${page}?token=${token}`;
}

/** Whether the user may get one more mail with such a link, so that no caller can flood a mailbox. */
export async function mayMailLink(
  tx: Transaction,
  site: Site,
  { userId, purpose, network }: LinkRequest,
  nowMs: number,
): Promise<boolean> {
  await lockLinks(tx, userId);
  const { count, of_network, latest } = await recentLinks(tx, {
    user_id: userId,
    purpose,
    network_hash: hashNetwork(site, network),
    since: nowMs - DAY_MS,
  });
  if (latest === null || nowMs - latest >= ALWAYS_AFTER_MS) return true;
  const isFew =
    count < MAILS_PER_DAY && (network === undefined || of_network < MAILS_PER_DAY_AND_NETWORK);
  return isFew && nowMs - latest >= MAIL_EVERY_MS;
}

/** Empty for links that the person or the team asked for. */
function hashNetwork({ keyring }: Site, network: string | undefined): string {
  return network === undefined ? '' : keyring.hash('network of a link', network);
}

function lockLinks(tx: Transaction, userId: number): Promise<void> {
  return tx.lock(`account links of ${userId}`);
}

export interface OpenedLink {
  readonly link: LinkRow;
  readonly user: UserRow;
}

/** The link with this token and its user, without using it up; undefined if it does not work. */
export async function openLink(
  db: Reader,
  site: Site,
  purpose: LinkPurpose,
  token: string,
): Promise<OpenedLink | undefined> {
  const key = { token_hash: hash(site, token), purpose, now: site.clock() };
  return withUser(db, await findUsableLink(db, key));
}

/** Uses a link up, and with it the others of its purpose. Of requests at the same time, one gets it. */
export async function useLink(
  tx: Transaction,
  site: Site,
  purpose: LinkPurpose,
  token: string,
): Promise<OpenedLink | undefined> {
  const key = { token_hash: hash(site, token), purpose, now: site.clock() };
  const link = await useLinkRow(tx, key);
  if (link) await endLinks(tx, { user_id: link.user_id, purpose, now: key.now });
  return withUser(tx, link);
}

/** A disabled user has no working links. */
async function withUser(db: Reader, link: LinkRow | undefined): Promise<OpenedLink | undefined> {
  const user = link && (await findUser(db, link.user_id));
  return link && user && user.disabled_at === null ? { link, user } : undefined;
}

function hash(site: Site, token: string): string {
  return site.keyring.hash('account link', token);
}

export const pruneLinks: Job = {
  name: 'accounts.prune-links',
  everyMs: HOUR_MS,
  runsOn: 'one',
  run: (site) => removeLinksBefore(site.database, { before: site.clock() - DAY_MS }),
};

/** No link works for longer than its purpose allows from now on. */
export async function correctLinks({ database }: Site, now: number): Promise<void> {
  for (const purpose of linkPurposes) {
    await shortenLinks(database, { purpose, now, latest: now + rules[purpose].lastsMs });
  }
}
