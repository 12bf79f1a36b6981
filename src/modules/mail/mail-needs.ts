import { query } from '../../db/statements/query.ts';
import { COUNTED_MAX } from '../../kernel/declare/metric.ts';
import type { Need } from '../overview/index.ts';
import type { MailState } from './tables.ts';

/** A mail that is this late waits for the team: there is no mail server, or it does not accept mails. */
const LATE_MS = 15 * 60_000;

const counted = query<{ state: MailState; before: number; limit: number }, { mails: number }>(
  (db, p) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('outbox')
          .select('next_attempt_at')
          .where('state', '=', p.state)
          .where('next_attempt_at', '<=', p.before)
          .limit(p.limit)
          .as('some'),
      )
      .select((eb) => eb.fn.countAll<number>().as('mails')),
);

export const mailsFailed: Need = {
  name: 'mails_failed',
  title: 'Mails that could not be sent',
  access: 'admin',
  async read(db) {
    const all = { before: Number.MAX_SAFE_INTEGER, limit: COUNTED_MAX };
    return { count: (await db.first(counted, { state: 'failed', ...all }))!.mails };
  },
};

export const mailsWaiting: Need = {
  name: 'mails_waiting',
  title: 'Mails that wait to be sent',
  access: 'admin',
  async read(db, _, nowMs) {
    const late = { before: nowMs - LATE_MS, limit: COUNTED_MAX };
    return { count: (await db.first(counted, { state: 'pending', ...late }))!.mails };
  },
};
