import { write } from '../../src/db/statements/calls.ts';
import { rowsOfUser, type PersonErasure } from '../../src/modules/privacy/index.ts';

/** The postbacks of a person; their secrets are not exported. */
export const postbacksOfPerson = rowsOfUser(
  'postbacks',
  ['failing_since', 'last_delivery_at', 'created_at'],
  (db, userId) =>
    db
      .selectFrom('postbacks')
      .select(['id', 'url', 'method', 'format', 'events', 'status', 'last_error'])
      .select(['failing_since', 'last_delivery_at', 'created_at'])
      .where('user_id', '=', userId)
      .where('status', '<>', 'deleted')
      .orderBy('id'),
);

const deleteAll = write<{ user_id: number }>((db, p) =>
  db
    .updateTable('postbacks')
    .set({ status: 'deleted', url: '', secret: '', replay_after: null, failing_since: null })
    .where('user_id', '=', p.user_id),
);

/** A job removes the deliveries, as after each deletion. */
export const erasePostbacks: PersonErasure = {
  erase: async (tx, { user }) => {
    await deleteAll(tx, { user_id: user.id });
  },
};
