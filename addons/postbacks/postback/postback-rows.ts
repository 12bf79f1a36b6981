import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import {
  insertOne,
  readAll,
  readFirst,
  readOne,
  writeOne,
} from '../../../src/db/statements/calls.ts';
import { saveIn } from '../../../src/db/statements/plain-calls.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { lockReceiver } from '../../../src/modules/deliveries/index.ts';

export type PostbackRow = RowOf<'postbacks'>;

/** The id of the newest event, or 0. */
const head = sql<number>`coalesce((select max(id) from events), 0)`;

export const insertPostback = insertOne<
  Pick<PostbackRow, 'user_id' | 'url' | 'method' | 'format' | 'events' | 'created_at'>,
  PostbackRow
>((db, row) =>
  db
    .insertInto('postbacks')
    .values({ ...row, secret: '', status: 'active', from_event: head })
    .returningAll(),
);

/** The newest event, where an active postback begins that gets nothing of what happened before. */
export const newestEvent = readOne<object, { id: number }>((db) => db.selectNoFrom(head.as('id')));

const byId = readFirst<{ id: number }, PostbackRow>((db, p) =>
  db.selectFrom('postbacks').selectAll().where('id', '=', p.id).where('status', '!=', 'deleted'),
);

export function findPostback(db: Reader, id: number): Promise<PostbackRow | undefined> {
  return byId(db, { id });
}

/** Oldest first; a few at most. */
export const listPostbacksOf = readAll<{ user_id: number }, PostbackRow>((db, p) =>
  db
    .selectFrom('postbacks')
    .selectAll()
    .where('user_id', '=', p.user_id)
    .where('status', '!=', 'deleted')
    .orderBy('id'),
);

export async function requirePostback(
  db: Reader,
  userId: number,
  id: number,
): Promise<PostbackRow> {
  const postback = await findPostback(db, id);
  if (postback?.user_id !== userId) throw new ApiError(generalErrors.notFound);
  return postback;
}

const changeable = [
  'url',
  'method',
  'events',
  'status',
  'failures',
  'failing_since',
  'paused_until',
  'last_delivery_at',
  'last_error',
  'from_event',
  'replay_after',
] as const;

export const savePostback = saveIn('postbacks', changeable, 'id');

/** Clears the address and the secret; a job removes its deliveries later, in pieces. */
export const deletePostbackRow = writeOne<{ id: number }>((db, p) =>
  db
    .updateTable('postbacks')
    .set({ status: 'deleted', url: '', secret: '', replay_after: null, failing_since: null })
    .where('id', '=', p.id)
    .where('status', '!=', 'deleted'),
);

/** Locks a postback for changes that depend on what was read. */
export function lockPostback(tx: Transaction, id: number): Promise<void> {
  return lockReceiver(tx, { name: 'postback' }, id);
}
