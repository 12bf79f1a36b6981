import { sql } from 'kysely';
import { rowsOfUser, type PersonErasure } from '../privacy/index.ts';
import { removeFileDays, removeFilesOfUser } from './file-rows.ts';

export const filesOfPerson = rowsOfUser('files', ['created_at'], (db, userId) =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'type', 'bytes', 'width', 'height', 'access', 'created_at'])
    .where('user_id', '=', userId)
    .where('state', '=', sql.lit('kept'))
    .orderBy('id'),
);

/** The files cannot be read from then on, and a job deletes their bytes. */
export const eraseFiles: PersonErasure = {
  async erase(tx, { user }) {
    await removeFilesOfUser(tx, { user_id: user.id });
    await removeFileDays(tx, { user_id: user.id });
  },
};
