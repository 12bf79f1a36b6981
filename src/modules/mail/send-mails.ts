import { setTimeout } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant, waitAfter } from '../../db/statements/instants.ts';
import { configOf } from '../../kernel/declare/config.ts';
import type { Job } from '../../kernel/declare/job.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { isEmailAddress } from '../../shared/email-address.ts';
import { mailConfig } from './config.ts';
import { mailsTotal } from './mail-metrics.ts';
import { mailPaceOf } from './mail-pace.ts';
import { reportResult } from './mail-results.ts';
import { CONNECTIONS_MAX, mailServerOf, SEND_MS_MAX } from './mail-server.ts';
import { withoutLink } from './one-time-link.ts';
import {
  claimMails,
  erasedLink,
  listDueMails,
  markMailFailed,
  markMailSent,
  NO_ADDRESS,
  type OutboxRow,
} from './outbox-rows.ts';
import { ownTextsOf } from './own-texts.ts';
import { oneLine } from './render-mail.ts';
import {
  isRefusal,
  mayHaveArrived,
  NoAddressError,
  reasonOf,
  type SmtpError,
} from './smtp-error.ts';

/**
 * Longer than any attempt takes, so that no other instance starts one in the meantime.
 *
 * @internal Exported for its test.
 */
export const LEASE_MS = SEND_MS_MAX + 4 * MINUTE_MS;
/** Delay after the first failure, the second, and so on; the last one repeats. */
const DELAYS_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);
/** Longest wait by number of attempts: for the next attempt, or until the lease of the last one ends. */
const WAITS_MS_MAX = [0, ...DELAYS_MS.map((ms) => Math.max(ms, LEASE_MS))];
const ATTEMPTS_MAX = 10;
const RUN_MS_MAX = 20_000;
const RECORD_AGAIN_MS = 500;
const ERROR_LENGTH_MAX = 500;
const SERVER_CAUSE = 'mail server';

export const sendMails: Job = {
  name: 'mail.send',
  everyMs: 1_000,
  runsOn: 'one',
  async run(site) {
    checkConfigurationOnce(site);
    if (configOf(site, mailConfig).smtpUrl === '') return;
    const begunMs = performance.now();
    const pace = mailPaceOf(site);
    while (!mailServerOf(site).isClosed && performance.now() - begunMs < RUN_MS_MAX) {
      const available = pace.available(CONNECTIONS_MAX);
      const claimed = available === 0 ? [] : await claim(site, available);
      if (claimed.length === 0) return;
      pace.count(claimed.length);
      const results = await Promise.all(claimed.map((mail) => send(site, mail)));
      if (results.includes('sent')) pace.accepted();
      // Saves the attempts of further mails while the server defers them or cannot be reached.
      else if (results.includes('postponed')) return pace.deferred();
    }
  },
};

async function claim(site: Site, limit: number): Promise<OutboxRow[]> {
  const now = site.clock();
  const ids = await listDueMails(site.database.read, now, limit);
  // Usually there are none, and that needs no transaction.
  if (ids.length === 0) return [];
  return site.database.transaction((tx) => claimMails(tx, ids, { now, until: now + LEASE_MS }));
}

type SendResult = 'sent' | 'postponed' | 'failed' | 'unknown';

async function send(site: Site, mail: OutboxRow): Promise<SendResult> {
  const leaseEndsMs = site.monotonic() + LEASE_MS;
  try {
    if (isToMany(mail) && mail.answered < mail.attempts - 1)
      throw new NotRecordedError(NOT_RECORDED);
    // Mails inserted by another program were not checked.
    if (!isEmailAddress(mail.to_address)) throw new NoAddressError(NO_ADDRESS);
    await mailServerOf(site).send(mail);
  } catch (error) {
    // Errors of nodemailer; the fields that `SmtpError` adds are optional.
    return recordFailure(site, mail, error as SmtpError);
  }
  await recordSent(site, mail, leaseEndsMs);
  mailsTotal.increment(site, { outcome: 'sent' });
  const server = mailServerOf(site).hostAndPort;
  limitedLogOf(site).recovered(SERVER_CAUSE, { server }, 'mails are being sent again');
  return 'sent';
}

/**
 * Retries until the lease ends: the server has accepted the mail, and if this were not recorded
 * because the database is down for a moment, the mail would be sent twice.
 */
async function recordSent(site: Site, mail: OutboxRow, leaseEndsMs: number): Promise<void> {
  for (;;) {
    try {
      return await site.database.transaction(async (tx) => {
        const nowMs = site.clock();
        await markMailSent(tx, mail, nowMs);
        if (isToMany(mail)) {
          await reportResult(tx, site, { key: mail.key, state: 'sent', error: '', nowMs });
        }
      });
    } catch (error) {
      if (mailServerOf(site).isClosed || site.monotonic() >= leaseEndsMs) throw error;
      await setTimeout(RECORD_AGAIN_MS);
    }
  }
}

async function recordFailure(site: Site, mail: OutboxRow, error: SmtpError): Promise<SendResult> {
  const state = stateAfter(mail, error);
  const isOver = state !== 'pending';
  const delayMs = DELAYS_MS[Math.min(mail.attempts, DELAYS_MS.length) - 1]!;
  const last_error = oneLine(withoutLink(site, mail, error.message)).slice(0, ERROR_LENGTH_MAX);
  await site.database.transaction(async (tx) => {
    const nowMs = site.clock();
    const isRecorded = await markMailFailed(tx, {
      id: mail.id,
      attempts: mail.attempts,
      state,
      next_attempt_at: nowMs + delayMs,
      last_error,
      link: isOver ? erasedLink(mail) : mail.link,
    });
    if (isRecorded && isOver && isToMany(mail)) {
      await reportResult(tx, site, { key: mail.key, state, error: last_error, nowMs });
    }
  });
  logFailure(site, mail, error, isOver);
  const result = isOver ? state : 'postponed';
  mailsTotal.increment(site, { outcome: result });
  return result;
}

const isToMany = ({ unsubscribe }: OutboxRow): boolean => unsubscribe !== null;

/** A mail to many is sent at most once; others are sent again, with the same Message-ID, if they may not have arrived. */
function stateAfter(mail: OutboxRow, error: SmtpError): 'pending' | 'failed' | 'unknown' {
  if (isToMany(mail) && (error instanceof NotRecordedError || mayHaveArrived(error)))
    return 'unknown';
  return isRefusal(error) || mail.attempts >= ATTEMPTS_MAX ? 'failed' : 'pending';
}

/** An attempt has no result: the process ended between sending the mail and recording that. */
class NotRecordedError extends Error {}

const NOT_RECORDED = 'The service was stopped while it sent this email. It may have arrived.';

/** Logs no reply of the server, because replies often quote the address. */
function logFailure(site: Site, mail: OutboxRow, error: SmtpError, isOver: boolean): void {
  const { id, template, attempts } = mail;
  const code = error.responseCode ?? error.code;
  const server = mailServerOf(site).hostAndPort;
  const reason = reasonOf(error);
  const about = { server, reason, code, mail: id, template, attempts };
  const log = limitedLogOf(site);
  if (isOver) log.warn(`mail ${reason}`, about, 'mail failed permanently');
  else log.warn(SERVER_CAUSE, about, 'mail could not be sent and will be retried');
}

/** Runs in the job, so that the server logs it once and commands do not. */
const checkConfigurationOnce = perSite((site) => {
  ownTextsOf(site).checkAll();
  if (configOf(site, mailConfig).smtpUrl === '') {
    site.log.info(
      {},
      'no mail server is configured (TRIBUTARY_SMTP_URL): emails wait in the outbox',
    );
  }
  return true;
});

const shorten = updateInBatches<{ now: number }>('outbox', 'id', (p) => {
  const latest = sql`${instant(p.now)} + ${waitAfter(sql`attempts`, WAITS_MS_MAX)}`;
  return {
    set: sql`next_attempt_at = ${latest}`,
    where: sql<SqlBool>`state = 'pending' and next_attempt_at > ${p.now}
      and next_attempt_at > ${latest}`,
  };
});

/** After the system clock was set back, shortens waits that exceed the retry schedule. */
export function correctMailWaits({ database }: Site, now: number): Promise<void> {
  return shorten(database, { now });
}
