import { rowsOfUser, type PersonErasure } from '../../src/modules/privacy/index.ts';
import { deletePagesOf } from './page-rows.ts';

export const pagesOfPerson = rowsOfUser('personal_pages', ['created_at'], (db, userId) =>
  db
    .selectFrom('personal_pages')
    .select(['id', 'state', 'name', 'text', 'language', 'file_id', 'reason', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id'),
);

/** The pictures are files of the person, which are erased with the others. */
export const erasePages: PersonErasure = {
  async erase(tx, { user }) {
    await deletePagesOf(tx, { user_id: user.id });
  },
};
