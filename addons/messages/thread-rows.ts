import { sql } from 'kysely';
import type { Transaction } from '../../src/db/database.ts';
import { pagedList, readCount } from '../../src/db/lists/paged-list.ts';
import { insertRow, readAll } from '../../src/db/statements/calls.ts';
import { findIn } from '../../src/db/statements/plain-calls.ts';
import type { Side, ThreadRow } from './tables.ts';
import { emptyThread } from './thread.ts';

export const findThread = findIn('message_threads', 'user_id');

/** Locked until the commit, so that the messages of a thread are numbered as they are committed. */
export async function lockThread(tx: Transaction, userId: number): Promise<ThreadRow> {
  await tx.lock(`messages ${userId}`);
  return (await findThread(tx, { user_id: userId })) ?? emptyThread(userId);
}

export const saveThread = insertRow<ThreadRow>((db, row) =>
  db
    .insertInto('message_threads')
    .values(row)
    .onConflict((conflict) => {
      const { user_id: _key, ...columns } = row;
      return conflict.column('user_id').doUpdateSet(columns);
    }),
);

/** Newest message first. */
export const { count: countThreads, page: listThreadRows } = pagedList(
  (db, _: { unread?: true | undefined }, given) =>
    db
      .selectFrom('message_threads')
      .$if(given('unread'), (q) => q.where('team_unread', '>', sql.lit(0))),
  (q) =>
    q
      // In this order, which SQLite must not change: a list reads one page of the threads.
      .crossJoin('users')
      .whereRef('users.id', '=', 'message_threads.user_id')
      .innerJoin('messages as last', 'last.id', 'message_threads.last_id')
      .select(['message_threads.user_id', 'message_threads.messages', 'team_unread'])
      .select(['users.display_name', 'last.side', 'last.text', 'last.created_at'])
      .orderBy('message_threads.last_id', 'desc'),
);

/** Threads that the team has not read, counted up to a limit. */
export const countUnread = readCount((db, p: { limit: number }) =>
  db.selectFrom(
    db
      .selectFrom('message_threads')
      .select('last_id')
      .where('team_unread', '>', sql.lit(0))
      .limit(p.limit)
      .as('some'),
  ),
);

const listDueOf = (side: Side) =>
  readAll<{ now: number; limit: number }, Pick<ThreadRow, 'user_id'>>((db, p) =>
    db
      .selectFrom('message_threads')
      .select('user_id')
      .where(`${side}_mail_at`, '<=', p.now)
      .orderBy(`${side}_mail_at`)
      .limit(p.limit),
  );

/** Threads with a mail that is due. */
export const listDue = { team: listDueOf('team'), affiliate: listDueOf('affiliate') };
