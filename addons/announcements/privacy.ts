import { sql } from 'kysely';
import { write } from '../../src/db/statements/calls.ts';
import { rowsOfUser, type PersonErasure } from '../../src/modules/privacy/index.ts';
import { listWaitingOf } from './series/member-rows.ts';
import { leaveSeries } from './series/membership.ts';
import { lockSeries } from './series/series-rows.ts';

/** The announcements that a person got. */
export const announcementsOfPerson = rowsOfUser(
  'announcements',
  ['updated_at', 'read_at'],
  (db, userId) =>
    db
      .selectFrom('announcement_receivers')
      .select(['announcement_id', 'state', 'error', 'updated_at', 'read_at'])
      .where('user_id', '=', userId)
      .orderBy('announcement_id'),
);

/** The series that a person was in. */
export const seriesOfPerson = rowsOfUser(
  'series',
  ['entered_at', 'due_at', 'ended_at'],
  (db, userId) =>
    db
      .selectFrom('series_members')
      .select(['series_id', 'state', 'reason', 'days', 'entered_at', 'due_at', 'ended_at'])
      .where('user_id', '=', userId)
      .orderBy('series_id'),
);

/** No step is sent to a person without an address. */
export const leaveErased: PersonErasure = {
  async erase(tx, { user, nowMs }) {
    await lockSeries(tx);
    const waiting = await listWaitingOf(tx, [user.id]);
    if (waiting.length > 0) await leaveSeries(tx, waiting, 'erased', { nowMs });
  },
};

const eraseErrors = write<{ user_id: number }>((db, p) =>
  db
    .updateTable('announcement_receivers')
    .set({ error: sql.lit('') })
    .where('user_id', '=', p.user_id),
);

/** The replies of mail servers quote the address. The counts stay. */
export const eraseReceiver: PersonErasure = {
  async erase(tx, { user }) {
    await eraseErrors(tx, { user_id: user.id });
  },
};
