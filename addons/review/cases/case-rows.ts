import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import {
  insertOne,
  insertRow,
  readAll,
  readByNumbers,
  readOne,
  write,
  writeFirst,
} from '../../../src/db/statements/calls.ts';
import { findIn, saveIn } from '../../../src/db/statements/plain-calls.ts';
import type { NewRowOf, RowOf } from '../../../src/db/tables.ts';
import type { SubjectType } from '../tables.ts';

export type CaseRow = RowOf<'review_cases'>;
export type NewCase = Omit<NewRowOf<'review_cases'>, 'id'>;

export const insertCase = insertOne<NewCase, { id: number }>((db, row) =>
  db.insertInto('review_cases').values(row).returning('id'),
);

/** An order can be credited to several affiliates: each has a case of their own. */
export type CaseKey = Pick<CaseRow, 'subject_type' | 'subject_id' | 'user_id'>;

/** Locks the open case on a subject and an affiliate. */
export const lockOpenCase = writeFirst<CaseKey, CaseRow>((db, p, _given, dialect) =>
  dialect.lockForUpdate(
    db
      .selectFrom('review_cases')
      .selectAll()
      .where('subject_type', '=', p.subject_type)
      .where('subject_id', '=', p.subject_id)
      .where('user_id', '=', p.user_id)
      .where('state', '=', sql.lit('open')),
  ),
);

export const findCase = findIn('review_cases', 'id');

export const lockCase = writeFirst<{ id: number }, CaseRow>((db, p, _given, dialect) =>
  dialect.lockForUpdate(db.selectFrom('review_cases').selectAll().where('id', '=', p.id)),
);

export const saveJoined = saveIn('review_cases', ['rule', 'evidence', 'holds_new'], 'id');

/** The open cases that hold the commission of new orders of some affiliates. */
export const findHoldingCases = readByNumbers<{ id: number; user_id: number }>((db, isKey) =>
  db
    .selectFrom('review_cases')
    .select(['id', sql<number>`user_id`.as('user_id')])
    .where(isKey('user_id'))
    .where('state', '=', sql.lit('open'))
    .where('holds_new', '=', sql.lit(1)),
);

/** The cases on a subject that are open, or were decided since. */
export const listRecentCases = readAll<
  { subject_type: SubjectType; subject_id: string; since: number },
  Pick<CaseRow, 'state' | 'rule' | 'evidence'>
>((db, p) =>
  db
    .selectFrom('review_cases')
    .select(['state', 'rule', 'evidence'])
    .where('subject_type', '=', p.subject_type)
    .where('subject_id', '=', p.subject_id)
    .where((eb) => eb.or([eb('state', '=', sql.lit('open')), eb('decided_at', '>', p.since)])),
);

/** When a rule last opened a case on a subject; null for never. */
export const findLastOpened = readOne<
  { subject_type: SubjectType; subject_id: string; rule: string },
  { opened_at: number | null }
>((db, p) =>
  db
    .selectFrom('review_cases')
    .select((eb) => eb.fn.max<number | null>('opened_at').as('opened_at'))
    .where('subject_type', '=', p.subject_type)
    .where('subject_id', '=', p.subject_id)
    .where('rule', '=', p.rule),
);

const decision = ['state', 'note', 'decided_at', 'decided_by', 'tell', 'suspended'] as const;

export const saveDecision = saveIn('review_cases', decision, 'id');

/** The time for a decision begins again. */
export const saveReopened = write<{ id: number; now: number }>((db, p) =>
  db
    .updateTable('review_cases')
    .set({
      state: sql.lit('open'),
      note: sql.lit(''),
      decided_at: null,
      decided_by: null,
      tell: sql.lit(1),
      suspended: sql.lit(0),
      reminded_at: null,
      reopened_at: p.now,
    })
    .where('id', '=', p.id),
);

export const saveAnswer = saveIn('review_cases', ['answer', 'answered_at', 'answer_file'], 'id');

export const insertHistory = insertRow<Omit<NewRowOf<'review_history'>, 'id'>>((db, row) =>
  db.insertInto('review_history').values(row),
);

export const listHistory = readAll<{ case_id: number }, RowOf<'review_history'>>((db, p) =>
  db.selectFrom('review_history').selectAll().where('case_id', '=', p.case_id).orderBy('id'),
);

const findNames = readByNumbers<{ id: number; display_name: string }>((db, isKey) =>
  db.selectFrom('users').select(['id', 'display_name']).where(isKey('id')),
);

/** The names of people by their ids; no person is null or 0. */
export async function readNames(
  db: Reader,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, string>> {
  const people = [...new Set(ids)].filter((id) => id !== null && id > 0) as number[];
  const rows = await findNames(db, people);
  return new Map(rows.map(({ id, display_name }) => [id, display_name]));
}

/** How many cases are open, what they hold, and how many the affiliate has answered. */
export const sumOpenCases = readOne<object, { count: number; held: number; answered: number }>(
  (db) =>
    db
      .selectFrom('review_cases')
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.coalesce(eb.fn.sum<number>('held'), eb.lit(0)).as('held'),
        eb.fn.count<number>('answered_at').as('answered'),
      ])
      .where('state', '=', sql.lit('open')),
);
