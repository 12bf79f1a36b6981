import { sql } from 'kysely';
import { insertOne, readAll, readByNumbers, readFirst, write } from '../../db/statements/calls.ts';
import { removeFrom } from '../../db/statements/plain-calls.ts';
import type { NewRowOf, RowOf } from '../../db/tables.ts';

export type FileRow = RowOf<'files'>;

export const insertFile = insertOne<NewRowOf<'files'>, { id: number }>((db, row) =>
  db.insertInto('files').values(row).returning('id'),
);

export const findFiles = readByNumbers<FileRow>((db, isKey) =>
  db.selectFrom('files').selectAll().where(isKey('id')).where('state', '=', sql.lit('kept')),
);

export const findByKey = readFirst<{ key: string }, FileRow>((db, p) =>
  db.selectFrom('files').selectAll().where('key', '=', p.key).where('state', '=', sql.lit('kept')),
);

/** A draft that a transaction uses is kept from then on. */
export const keepFile = write<{ id: number }>((db, p) =>
  db
    .updateTable('files')
    .set({ state: sql.lit('kept') })
    .where('id', '=', p.id)
    .where('state', '=', sql.lit('draft')),
);

/** The file cannot be read from the commit on; a job deletes its bytes. */
export const removeFile = write<{ id: number }>((db, p) =>
  db
    .updateTable('files')
    .set({ state: sql.lit('removed') })
    .where('id', '=', p.id),
);

export const removeFilesOfUser = write<{ user_id: number }>((db, p) =>
  db
    .updateTable('files')
    .set({ state: sql.lit('removed'), name: sql.lit('') })
    .where('user_id', '=', p.user_id),
);

export const listUnused = readAll<
  { drafts_before: number; limit: number },
  Pick<FileRow, 'id' | 'key' | 'small_bytes'>
>((db, p) =>
  db
    .selectFrom('files')
    .select(['id', 'key', 'small_bytes'])
    .where('state', '<>', sql.lit('kept'))
    .where((eb) =>
      eb.or([
        eb('state', '=', sql.lit('removed')),
        eb.and([eb('state', '=', sql.lit('draft')), eb('created_at', '<', p.drafts_before)]),
      ]),
    )
    .limit(p.limit),
);

export const deleteFile = write<{ id: number }>((db, p) =>
  db.deleteFrom('files').where('id', '=', p.id).where('state', '<>', sql.lit('kept')),
);

export const listKept = readAll<{ after: number; limit: number }, FileRow>((db, p) =>
  db
    .selectFrom('files')
    .selectAll()
    .where('id', '>', p.after)
    .where('state', '=', sql.lit('kept'))
    .orderBy('id')
    .limit(p.limit),
);

/** Adds to what an affiliate has sent on this day, and answers the sum. */
export const addBytes = insertOne<RowOf<'file_days'>, Pick<RowOf<'file_days'>, 'bytes'>>(
  (db, row) =>
    db
      .insertInto('file_days')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet((eb) => ({
          day: eb.ref('excluded.day'),
          bytes: eb
            .case()
            .when('file_days.day', '=', eb.ref('excluded.day'))
            .then(eb('file_days.bytes', '+', eb.ref('excluded.bytes')))
            .else(eb.ref('excluded.bytes'))
            .end(),
        })),
      )
      .returning('bytes'),
);

export const removeFileDays = removeFrom('file_days', 'user_id');
