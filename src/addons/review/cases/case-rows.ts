import { sql, type Insertable, type Selectable } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import {
  insertOne,
  insertRow,
  readAll,
  readByNumbers,
  readFirst,
  readOne,
  write,
  writeFirst,
} from '../../../db/statements/calls.ts';
import type { ReviewCasesTable, ReviewHistoryTable, SubjectType } from '../tables.ts';

export type CaseRow = Selectable<ReviewCasesTable>;
export type NewCase = Omit<Insertable<ReviewCasesTable>, 'id'>;

export const insertCase = insertOne<NewCase, { id: number }>((db, row) =>
  db.insertInto('review_cases').values(row).returning('id'),
);

/** Locks the open case on a subject. */
export const lockOpenCase = writeFirst<{ subject_type: SubjectType; subject_id: string }, CaseRow>(
  (db, p, _given, dialect) =>
    dialect.lockForUpdate(
      db
        .selectFrom('review_cases')
        .selectAll()
        .where('subject_type', '=', p.subject_type)
        .where('subject_id', '=', p.subject_id)
        .where('state', '=', sql.lit('open')),
    ),
);

export const findCase = readFirst<{ id: number }, CaseRow>((db, p) =>
  db.selectFrom('review_cases').selectAll().where('id', '=', p.id),
);

export const lockCase = writeFirst<{ id: number }, CaseRow>((db, p, _given, dialect) =>
  dialect.lockForUpdate(db.selectFrom('review_cases').selectAll().where('id', '=', p.id)),
);

export const saveEvidence = write<Pick<CaseRow, 'id' | 'evidence'>>((db, p) =>
  db.updateTable('review_cases').set({ evidence: p.evidence }).where('id', '=', p.id),
);

export const saveDecision = write<
  Pick<CaseRow, 'id' | 'state' | 'note' | 'decided_at' | 'decided_by' | 'tell' | 'suspended'>
>((db, p) =>
  db
    .updateTable('review_cases')
    .set({
      state: p.state,
      note: p.note,
      decided_at: p.decided_at,
      decided_by: p.decided_by,
      tell: p.tell,
      suspended: p.suspended,
    })
    .where('id', '=', p.id),
);

export const saveAnswer = write<{ id: number; answer: string; answered_at: number }>((db, p) =>
  db
    .updateTable('review_cases')
    .set({ answer: p.answer, answered_at: p.answered_at })
    .where('id', '=', p.id),
);

export const insertHistory = insertRow<Omit<Insertable<ReviewHistoryTable>, 'id'>>((db, row) =>
  db.insertInto('review_history').values(row),
);

export const listHistory = readAll<{ case_id: number }, Selectable<ReviewHistoryTable>>((db, p) =>
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

/** How many cases are open, and what they hold. */
export const sumOpenCases = readOne<object, { count: number; held: number }>((db) =>
  db
    .selectFrom('review_cases')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('held'), eb.lit(0)).as('held'),
    ])
    .where('state', '=', sql.lit('open')),
);
