import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import {
  insertOne,
  insertRow,
  readAll,
  readByNumbers,
  readFirst,
  readOne,
  write,
} from '../../../src/db/statements/calls.ts';
import { addIn, saveIn } from '../../../src/db/statements/plain-calls.ts';
import type { NewRowOf, RowOf } from '../../../src/db/tables.ts';
import { FeedCursor } from '../../../src/modules/events/index.ts';
import type { AnnouncementRow } from '../announcements/announcement-rows.ts';

export type SeriesRow = RowOf<'series'>;

export const insertSeries = insertOne<NewRowOf<'series'>, SeriesRow>((db, row) =>
  db.insertInto('series').values(row).returningAll(),
);

export const findSeries = readFirst<{ id: number }, SeriesRow>((db, p) =>
  db.selectFrom('series').selectAll().where('id', '=', p.id).where('removed_at', 'is', null),
);

export const { count: countSeries, page: listSeriesRows } = pagedList(
  (db, _p: object) => db.selectFrom('series').where('removed_at', 'is', null),
  (q) => q.selectAll().orderBy('id'),
);

export const listActiveSeries = readAll<object, SeriesRow>((db) =>
  db
    .selectFrom('series')
    .selectAll()
    .where('active', '=', sql.lit(1))
    .where('removed_at', 'is', null)
    .orderBy('id'),
);

export const saveSeries = saveIn(
  'series',
  [
    'name',
    'starts_on',
    'idle_days',
    'ends_on_order',
    'active',
    'activated_at',
    'position',
    'replan',
    'removed_at',
  ],
  'id',
);

export const saveIdlePosition = saveIn('series', ['position'], 'id');

export const saveReplan = saveIn('series', ['replan'], 'id');

/** Adds to the counts of its members. */
export const addMemberCounts = addIn('series', ['entered', 'completed', 'left_early'], 'id');

/** A step with its texts and counts. */
export type StepRow = AnnouncementRow & Pick<RowOf<'series_steps'>, 'series_id' | 'after_days'>;

/** The steps of some series, in their order. */
export const listSteps = readByNumbers<StepRow>((db, isKey) =>
  db
    .selectFrom('series_steps')
    .innerJoin('announcements', 'announcements.id', 'series_steps.announcement_id')
    .selectAll('announcements')
    .select(['series_steps.series_id', 'series_steps.after_days'])
    .where(isKey('series_steps.series_id'))
    .where('series_steps.removed_at', 'is', null)
    .orderBy('series_steps.series_id')
    .orderBy('series_steps.after_days'),
);

export const insertStep = insertRow<RowOf<'series_steps'>>((db, row) =>
  db.insertInto('series_steps').values(row),
);

export const saveStep = saveIn('series_steps', ['after_days', 'removed_at'], 'announcement_id');

export const saveStepTexts = write<Pick<AnnouncementRow, 'id' | 'texts'>>((db, p) =>
  db
    .updateTable('announcements')
    .set({ texts: p.texts })
    .where('id', '=', p.id)
    .where('state', '=', sql.lit('series')),
);

/** Events up to it have made people enter and leave. It rests while no series is active. */
export const seriesCursor = new FeedCursor('series');

export const newestEvent = readOne<object, { id: number }>((db) =>
  db.selectNoFrom(sql<number>`coalesce((select max(id) from events), 0)`.as('id')),
);

/** Entering, sending and changes by the team wait for each other. Results of mails do not. */
export function lockSeries(tx: Transaction): Promise<void> {
  return tx.lock('series');
}
