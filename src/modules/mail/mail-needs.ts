import { readCount } from '../../db/lists/paged-list.ts';
import { configOf } from '../../kernel/declare/config.ts';
import { COUNTED_MAX } from '../../kernel/declare/metric.ts';
import type { Need, FirstStep } from '../../kernel/declare/overview.ts';
import { mailConfig } from './config.ts';
import type { MailState } from './tables.ts';

/** A mail that is this late waits for the team: there is no mail server, or it does not accept mails. */
const LATE_MS = 15 * 60_000;

const counted = readCount((db, p: { state: MailState; before: number; limit: number }) =>
  db.selectFrom(
    db
      .selectFrom('outbox')
      .select('next_attempt_at')
      .where('state', '=', p.state)
      .where('next_attempt_at', '<=', p.before)
      .limit(p.limit)
      .as('some'),
  ),
);

export const mailsFailed: Need = {
  name: 'mails_failed',
  title: 'Emails that could not be sent',
  access: 'admin',
  async read(db) {
    const all = { before: Number.MAX_SAFE_INTEGER, limit: COUNTED_MAX };
    return { count: await counted(db, { state: 'failed', ...all }) };
  },
};

export const mailsWaiting: Need = {
  name: 'mails_waiting',
  title: 'Emails that wait to be sent',
  access: 'admin',
  async read(db, _, nowMs) {
    const late = { before: nowMs - LATE_MS, limit: COUNTED_MAX };
    return { count: await counted(db, { state: 'pending', ...late }) };
  },
};

export const firstMail: FirstStep = {
  name: 'mail',
  title: 'Connect a mail server',
  isDone: (_, site) => Promise.resolve(configOf(site, mailConfig).smtpUrl !== ''),
};
