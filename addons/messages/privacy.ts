import { rowsOfUser, type PersonErasure } from '../../src/modules/privacy/index.ts';
import { deleteFilesOfThread, deleteMessages, deleteThread } from './message-rows.ts';

/** The thread of a person: what it wrote, and what the team wrote to it. */
export const messagesOfPerson = rowsOfUser('messages', ['created_at'], (db, userId) =>
  db
    .selectFrom('messages')
    .select(['id', 'side', 'text', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id'),
);

/** Deletes the thread. Its files belong to the person, and are deleted with all others. */
export const eraseMessages: PersonErasure = {
  async erase(tx, { user }) {
    const thread = { user_id: user.id };
    await deleteFilesOfThread(tx, thread);
    await deleteMessages(tx, thread);
    await deleteThread(tx, thread);
  },
};
