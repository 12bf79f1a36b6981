import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { readAll, readFirst, write } from '../../../src/db/statements/calls.ts';
import { FeedCursor } from '../../../src/modules/events/index.ts';
import { newestEvent, type PostbackRow } from '../postback/postback-rows.ts';
import type { FeedEvent } from './order-changes.ts';

const NAME = 'postbacks';

/** Events up to it have their deliveries, except for postbacks that are behind. */
export const fanOutCursor = new FeedCursor(NAME);

const active = readFirst<object, { id: number }>((db) =>
  db.selectFrom('postbacks').select('id').where('status', '=', sql.lit('active')).limit(1),
);

/** The position of the cursor; undefined without an active postback: then no event is read. */
export const positionIfWanted = readFirst<object, { position: number }>((db) =>
  db
    .selectFrom('cursors')
    .select('position')
    .where('name', '=', NAME)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('postbacks').select('id').where('status', '=', sql.lit('active'))),
    ),
);

/**
 * Before a postback becomes active: puts the cursor to the newest event if none is, because it rested. Returns
 * that event; earlier ones are not for the postback.
 */
export async function beginFanOut(tx: Transaction): Promise<number> {
  await tx.lock('postbacks');
  const { id: newest } = await newestEvent(tx);
  const position = await fanOutCursor.position(tx);
  if (position === undefined) await fanOutCursor.begin(tx, newest);
  else if (!(await active(tx)) && position < newest) await fanOutCursor.move(tx, position, newest);
  return newest;
}

export const listFeed = readAll<{ after: number; until: number; limit: number }, FeedEvent>(
  (db, p) =>
    db
      .selectFrom('events')
      .select(['id', 'event', 'data', 'created_at'])
      .where('id', '>', p.after)
      .where('id', '<=', p.until)
      .orderBy('id')
      .limit(p.limit),
);

const activeOf = readAll<{ users: string }, PostbackRow>((db, p, _given, dialect) =>
  db
    .selectFrom('postbacks')
    .selectAll()
    .where(dialect.inJsonArray('user_id', p.users, 'number'))
    .where(dialect.unindexed('status'), '=', sql.lit('active'))
    .where('replay_after', 'is', null)
    .orderBy('id'),
);

/** The active postbacks of affiliates, by their ids, without those that are behind. */
export async function listActiveOf(db: Reader, userIds: readonly number[]): Promise<PostbackRow[]> {
  if (userIds.length === 0) return [];
  return activeOf(db, { users: JSON.stringify([...new Set(userIds)]) });
}

/** The active postbacks that are behind. */
export const listBehind = readAll<object, { id: number }>((db, _p, _given, dialect) =>
  db
    .selectFrom('postbacks')
    .select('id')
    .where(sql<boolean>`replay_after is not null`)
    .where(dialect.unindexed('status'), '=', sql.lit('active')),
);

export const setReplay = write<{ id: number; after: number | null }>((db, p) =>
  db.updateTable('postbacks').set({ replay_after: p.after }).where('id', '=', p.id),
);
