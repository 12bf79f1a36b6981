import { setTimeout } from 'node:timers/promises';
import type { Job } from '../../kernel/declare/job.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import { perSite, type Site } from '../../kernel/declare/site.ts';
import { isEmailAddress } from '../../shared/email-address.ts';
import { failureOf, type SmtpError } from './mail-failure.ts';
import { mailsTotal } from './mail-metrics.ts';
import { CONNECTIONS_MAX, mailServerOf, SEND_MS_MAX } from './mail-server.ts';
import {
  claimMails,
  hasDueMail,
  markMailFailed,
  markMailSent,
  NO_ADDRESS,
  type OutboxRow,
} from './outbox-store.ts';
import { ownTextsOf } from './own-texts.ts';
import { oneLine } from './render-mail.ts';

const MINUTE_MS = 60_000;
/** Longer than any attempt takes, so that nobody else begins one meanwhile. */
export const LEASE_MS = SEND_MS_MAX + 4 * MINUTE_MS;
/** After the first failure, the second, and so on; the last one for all that follow. */
const DELAYS_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);
/** The longest wait after so many attempts: for the next one, or for the lease of the last to run out. */
export const WAITS_MS_MAX = [0, ...DELAYS_MS.map((ms) => Math.max(ms, LEASE_MS))];
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
    tellAtStart(site);
    if (site.mail.smtpUrl === '') return;
    const begunMs = performance.now();
    while (!mailServerOf(site).isClosed && performance.now() - begunMs < RUN_MS_MAX) {
      const claimed = await claim(site);
      const outcomes = await Promise.all(claimed.map((mail) => send(site, mail)));
      // Where the server cannot be reached, further mails need not spend an attempt on it.
      if (claimed.length < CONNECTIONS_MAX || outcomes.includes('later')) return;
    }
  },
};

async function claim(site: Site): Promise<OutboxRow[]> {
  const now = site.clock();
  // Mostly there are none, and asking needs no transaction.
  if (!(await hasDueMail(site.database.read, now))) return [];
  return site.database.transaction((tx) =>
    claimMails(tx, { now, until: now + LEASE_MS, limit: CONNECTIONS_MAX }),
  );
}

type Outcome = 'sent' | 'later' | 'failed';

async function send(site: Site, mail: OutboxRow): Promise<Outcome> {
  const leaseEndsMs = site.monotonic() + LEASE_MS;
  try {
    // Mails of an earlier version, or put there by another program, were not checked.
    if (!isEmailAddress(mail.to_address)) throw new NoAddressError(NO_ADDRESS);
    await mailServerOf(site).send(mail);
  } catch (error) {
    return recordFailure(site, mail, error as SmtpError);
  }
  await recordSent(site, mail, leaseEndsMs);
  mailsTotal.increment(site, { outcome: 'sent' });
  const server = mailServerOf(site).place;
  limitedLogOf(site).recovered(SERVER_CAUSE, { server }, 'mails are sent again');
  return 'sent';
}

/**
 * The mail is with the server: a database that is away for a while does not make it go out twice, as
 * long as nobody else may take it.
 */
async function recordSent(site: Site, mail: OutboxRow, leaseEndsMs: number): Promise<void> {
  for (;;) {
    try {
      return await site.database.transaction((tx) => markMailSent(tx, mail.id, site.clock()));
    } catch (error) {
      if (mailServerOf(site).isClosed || site.monotonic() >= leaseEndsMs) throw error;
      await setTimeout(RECORD_AGAIN_MS);
    }
  }
}

async function recordFailure(site: Site, mail: OutboxRow, error: SmtpError): Promise<Outcome> {
  const isOver = isRefusal(error) || mail.attempts >= ATTEMPTS_MAX;
  const delayMs = DELAYS_MS[Math.min(mail.attempts, DELAYS_MS.length) - 1]!;
  await site.database.transaction((tx) =>
    markMailFailed(tx, {
      id: mail.id,
      attempts: mail.attempts,
      state: isOver ? 'failed' : 'pending',
      next_attempt_at: site.clock() + delayMs,
      last_error: oneLine(error.message).slice(0, ERROR_LENGTH_MAX),
    }),
  );
  logFailure(site, mail, error, isOver);
  mailsTotal.increment(site, { outcome: isOver ? 'failed' : 'postponed' });
  return isOver ? 'failed' : 'later';
}

/** Without the server's own words, which often quote the address. */
function logFailure(site: Site, mail: OutboxRow, error: SmtpError, isOver: boolean): void {
  const { id, template, attempts } = mail;
  const code = error.responseCode ?? error.code;
  const server = mailServerOf(site).place;
  const reason = error instanceof NoAddressError ? 'it has no valid address' : failureOf(error);
  const about = { server, reason, code, mail: id, template, attempts };
  const log = limitedLogOf(site);
  if (isOver) log.warn(`mail ${reason}`, about, 'a mail has failed');
  else log.warn(SERVER_CAUSE, about, 'a mail could not be sent; it is tried again');
}

class NoAddressError extends Error {}

const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

/**
 * A refusal for good, of this mail. What a server refuses before it has heard of a mail (a wrong
 * password, an address that may not connect) is the site's to put right, and mails wait for it.
 */
function isRefusal(error: SmtpError): boolean {
  if (error instanceof NoAddressError) return true;
  const { responseCode = 0, command = '' } = error;
  return responseCode >= 500 && responseCode < 600 && ABOUT_THE_MAIL.has(command);
}

/** Told by the job, which only a server runs: commands need not say it each time. */
const tellAtStart = perSite((site) => {
  ownTextsOf(site).checkAll();
  if (site.mail.smtpUrl === '') {
    site.log.info(
      {},
      'no mail server is configured (TRIBUTARY_SMTP_URL): mails wait in the outbox',
    );
  }
  return true;
});
