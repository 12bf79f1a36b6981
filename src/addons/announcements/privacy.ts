import { sql } from 'kysely';
import { write } from '../../db/statements/calls.ts';
import { rowsOfUser, type PersonErasure } from '../../modules/privacy/index.ts';

/** The announcements that a person got. */
export const announcementsOfPerson = rowsOfUser('announcements', ['updated_at'], (db, userId) =>
  db
    .selectFrom('announcement_receivers')
    .select(['announcement_id', 'state', 'error', 'updated_at'])
    .where('user_id', '=', userId)
    .orderBy('announcement_id'),
);

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
