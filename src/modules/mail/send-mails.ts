import { sql, type SqlBool } from 'kysely';
import { updateInBatches } from '../../db/statements/in-batches.ts';
import { instant, waitAfter } from '../../db/statements/instants.ts';
import { setTimeout } from 'node:timers/promises';
import type { Job } from '../../kernel/declare/job.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { isEmailAddress } from '../../shared/email-address.ts';
import { mailsTotal } from './mail-metrics.ts';
import { CONNECTIONS_MAX, mailServerOf, SEND_MS_MAX } from './mail-server.ts';
import {
  claimMails,
  erasedLink,
  listDueMails,
  markMailFailed,
  markMailSent,
  NO_ADDRESS,
  type OutboxRow,
} from './outbox-rows.ts';
import { LinkLostError, withoutLink } from './one-time-link.ts';
import { ownTextsOf } from './own-texts.ts';
import { oneLine } from './render-mail.ts';
import { configOf } from '../../kernel/declare/config.ts';
import { mailConfig } from './config.ts';

const MINUTE_MS = 60_000;
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
    while (!mailServerOf(site).isClosed && performance.now() - begunMs < RUN_MS_MAX) {
      const claimed = await claim(site);
      const results = await Promise.all(claimed.map((mail) => send(site, mail)));
      // Saves the attempts of further mails while the server cannot be reached.
      if (claimed.length < CONNECTIONS_MAX || results.includes('postponed')) return;
    }
  },
};

async function claim(site: Site): Promise<OutboxRow[]> {
  const now = site.clock();
  const ids = await listDueMails(site.database.read, now, CONNECTIONS_MAX);
  // Usually there are none, and that needs no transaction.
  if (ids.length === 0) return [];
  return site.database.transaction((tx) => claimMails(tx, ids, { now, until: now + LEASE_MS }));
}

type SendResult = 'sent' | 'postponed' | 'failed';

async function send(site: Site, mail: OutboxRow): Promise<SendResult> {
  const leaseEndsMs = site.monotonic() + LEASE_MS;
  try {
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
      return await site.database.transaction((tx) => markMailSent(tx, mail, site.clock()));
    } catch (error) {
      if (mailServerOf(site).isClosed || site.monotonic() >= leaseEndsMs) throw error;
      await setTimeout(RECORD_AGAIN_MS);
    }
  }
}

async function recordFailure(site: Site, mail: OutboxRow, error: SmtpError): Promise<SendResult> {
  const isOver = isRefusal(error) || mail.attempts >= ATTEMPTS_MAX;
  const delayMs = DELAYS_MS[Math.min(mail.attempts, DELAYS_MS.length) - 1]!;
  await site.database.transaction((tx) =>
    markMailFailed(tx, {
      id: mail.id,
      attempts: mail.attempts,
      state: isOver ? 'failed' : 'pending',
      next_attempt_at: site.clock() + delayMs,
      last_error: oneLine(withoutLink(site, mail, error.message)).slice(0, ERROR_LENGTH_MAX),
      link: isOver ? erasedLink(mail) : mail.link,
    }),
  );
  logFailure(site, mail, error, isOver);
  const result = isOver ? 'failed' : 'postponed';
  mailsTotal.increment(site, { outcome: result });
  return result;
}

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

function reasonOf(error: SmtpError): string {
  if (error instanceof NoAddressError) return 'the address is not valid';
  if (error instanceof LinkLostError) return 'the link cannot be read';
  return failureOf(error);
}

class NoAddressError extends Error {}

const COMMANDS_ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/**
 * Whether the server refused this mail permanently. Errors before that (a wrong password, a blocked
 * IP address) concern the configuration: mails wait until the operator fixes it.
 */
function isRefusal(error: SmtpError): boolean {
  if (error instanceof NoAddressError || error instanceof LinkLostError) return true;
  const { responseCode = 0, command = '' } = error;
  return responseCode >= 500 && responseCode < 600 && COMMANDS_ABOUT_THE_MAIL.has(command);
}

/** Runs in the job, so that the server logs it once and commands do not. */
const checkConfigurationOnce = perSite((site) => {
  ownTextsOf(site).checkAll();
  if (configOf(site, mailConfig).smtpUrl === '') {
    site.log.info(
      {},
      'no mail server is configured (TRIBUTARY_SMTP_URL): mails wait in the outbox',
    );
  }
  return true;
});

/** Error thrown by nodemailer, with the reply code of the server if there was one. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
}

/** Nodemailer replaces the error codes of the system with its own; the message still names them. */
const reasons: [pattern: RegExp, reason: string][] = [
  [/EDNS|ENOTFOUND|EAI_AGAIN/, 'the name of the mail server could not be resolved'],
  [/ECONNREFUSED/, 'the mail server refused the connection'],
  [/EHOSTUNREACH|ENETUNREACH/, 'the mail server could not be reached'],
  [/ETLS|certificate|\bSSL\b|\bTLS\b/i, 'no trusted TLS connection could be established'],
  [/ETIMEDOUT|timeout/i, 'the mail server did not answer in time'],
  [/ECONNRESET|EPIPE|closed/i, 'the mail server closed the connection'],
];

/** Why a mail was not sent. Never quotes the mail or the server's reply, which may name an address. */
function failureOf({ code, responseCode, message }: SmtpError): string {
  if (code === 'EAUTH') {
    return `the mail server rejected the username or password (${responseCode ?? 'no code'})`;
  }
  if (responseCode !== undefined) return `the mail server answered ${responseCode}`;
  const found = reasons.find(([pattern]) => pattern.test(`${code} ${message}`));
  return found?.[1] ?? 'the mail could not be sent';
}

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
