import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { insertOne, readAll, write, writeOne } from '../../../src/db/statements/calls.ts';
import { addIn, findIn } from '../../../src/db/statements/plain-calls.ts';
import { only } from '../../../src/db/statements/row-query.ts';
import type { NewRowOf, RowOf } from '../../../src/db/tables.ts';
import type { AnnouncementState } from '../tables.ts';

export type AnnouncementRow = RowOf<'announcements'>;

export const insertAnnouncement = insertOne<NewRowOf<'announcements'>, AnnouncementRow>((db, row) =>
  db.insertInto('announcements').values(row).returningAll(),
);

export const findAnnouncement = findIn('announcements', 'id');

/** Without a state, all but the steps of series. */
export const announcementList = pagedList(
  (db, p: { state?: AnnouncementState | undefined }, given) =>
    given('state')
      ? db.selectFrom('announcements').where('state', '=', p.state!)
      : db.selectFrom('announcements').where('state', '!=', sql.lit('series')),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

const drafted = ['texts', 'segment', 'by_mail', 'in_portal', 'send_at'] as const;
type Draft = Pick<AnnouncementRow, 'id' | (typeof drafted)[number]>;

export const saveDraft = writeOne<Draft>((db, p) =>
  db
    .updateTable('announcements')
    .set(only(p, drafted))
    .where('id', '=', p.id)
    .where('state', '=', 'draft'),
);

export const removeDraft = writeOne<{ id: number }>((db, p) =>
  db.deleteFrom('announcements').where('id', '=', p.id).where('state', '=', 'draft'),
);

/** Changes the state, if it is the expected one. */
export const saveState = writeOne<
  Pick<AnnouncementRow, 'id' | 'state' | 'started_at' | 'ended_at'> & { from: AnnouncementState }
>((db, p) =>
  db
    .updateTable('announcements')
    .set({ state: p.state, started_at: p.started_at, ended_at: p.ended_at })
    .where('id', '=', p.id)
    .where('state', '=', p.from),
);

export const listInState = readAll<{ state: AnnouncementState; limit: number }, AnnouncementRow>(
  (db, p) =>
    db
      .selectFrom('announcements')
      .selectAll()
      .where('state', '=', p.state)
      .orderBy('id')
      .limit(p.limit),
);

export const listDue = readAll<{ now: number; limit: number }, AnnouncementRow>((db, p) =>
  db
    .selectFrom('announcements')
    .selectAll()
    .where('state', '=', sql.lit('scheduled'))
    .where('send_at', '<=', p.now)
    .orderBy('send_at')
    .limit(p.limit),
);

/** Advances past members that are receivers now; only while it is being sent, and once from each position. */
export const savePosition = writeOne<{ id: number; from: number; position: number | null }>(
  (db, p) =>
    db
      .updateTable('announcements')
      .set({ position: p.position })
      .where('id', '=', p.id)
      .where('state', '=', 'sending')
      .where('position', '=', p.from),
);

export const addReceived = addIn('announcements', ['receivers', 'queued', 'failed', 'muted'], 'id');

/** Moves mails from one count to another: the numbers may be negative. */
export const addCounts = addIn('announcements', ['queued', 'sent', 'failed', 'unknown'], 'id');

export const countUnsubscribed = write<{ id: number }>((db, p) =>
  db
    .updateTable('announcements')
    .set({ unsubscribed: sql`unsubscribed + 1` })
    .where('id', '=', p.id),
);

export const endAnnouncement = write<{ id: number; now: number }>((db, p) =>
  db
    .updateTable('announcements')
    .set({ state: 'sent', ended_at: p.now })
    .where('id', '=', p.id)
    .where('state', '=', 'sending')
    .where('position', 'is', null)
    .where('queued', '=', sql.lit(0)),
);

/** Adding receivers and changing the state wait for each other; recording what became of mails does not. */
export function lockAnnouncement(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`announcement ${id}`);
}
