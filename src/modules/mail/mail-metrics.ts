import { readCount } from '../../db/lists/paged-list.ts';
import { query } from '../../db/statements/query.ts';
import { configOf } from '../../kernel/declare/config.ts';
import {
  COUNTED_MAX,
  defineCounter,
  defineMetrics,
  gauge,
  secondsLate,
} from '../../kernel/declare/metric.ts';
import { mailConfig } from './config.ts';

const waiting = readCount((db, p: { limit: number }) =>
  db.selectFrom(
    db
      .selectFrom('outbox')
      .select('next_attempt_at')
      .where('state', '=', 'pending')
      .limit(p.limit)
      .as('waiting'),
  ),
);

const firstDue = query<object, { due_at: number | null }>((db) =>
  db
    .selectFrom('outbox')
    .select((eb) => eb.fn.min<number | null>('next_attempt_at').as('due_at'))
    .where('state', '=', 'pending'),
);

const backlog = defineMetrics(
  {
    waiting: gauge(
      'tributary_mails_waiting',
      `Number of unsent emails in the outbox, counted up to ${COUNTED_MAX}.`,
    ),
    oldest: gauge(
      'tributary_mails_oldest_seconds',
      'Seconds since the oldest unsent email became due; absent without a mail server.',
    ),
  },
  async (site) => {
    const { read } = site.database;
    const mails = await waiting(read, { limit: COUNTED_MAX });
    const due = await read.first(firstDue, {});
    const hasServer = configOf(site, mailConfig).smtpUrl !== '';
    return { waiting: mails, oldest: hasServer ? secondsLate(site, due?.due_at) : undefined };
  },
);

export const mailsTotal = defineCounter(
  {
    name: 'tributary_mails_total',
    help:
      'Attempts to send an email, by outcome: sent, postponed (will be retried), failed (given up) or unknown (may have ' +
      'arrived).',
    labels: ['outcome'],
  },
  [{ outcome: 'sent' }, { outcome: 'postponed' }, { outcome: 'failed' }, { outcome: 'unknown' }],
);

export const mailMetrics = [backlog, mailsTotal];
