import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { readAll, readFirst, write } from '../../../src/db/statements/calls.ts';
import { saveIn } from '../../../src/db/statements/plain-calls.ts';
import { insertRows, jsonList } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import type { ReceiverState } from '../tables.ts';

export type ReceiverRow = Omit<RowOf<'announcement_receivers'>, 'read_at'>;

const insertAll = insertRows<ReceiverRow>('announcement_receivers', {
  on: ['announcement_id', 'user_id'],
});

export function insertReceivers(tx: Transaction, rows: readonly ReceiverRow[]): Promise<void> {
  return tx.runMany(insertAll, rows);
}

/** Those of some users who are receivers already. */
export const listAmong = readAll<{ announcement_id: number; ids: string }, { user_id: number }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('announcement_receivers')
      .select('user_id')
      .where('announcement_id', '=', p.announcement_id)
      .where(dialect.inJsonArray('announcement_receivers.user_id', p.ids, 'number')),
);

export const findReceiver = readFirst<{ announcement_id: number; user_id: number }, ReceiverRow>(
  (db, p) =>
    db
      .selectFrom('announcement_receivers')
      .selectAll()
      .where('announcement_id', '=', p.announcement_id)
      .where('user_id', '=', p.user_id),
);

/** What a person got of some announcements. */
export const listReceived = readAll<
  { user_id: number; ids: string },
  Pick<ReceiverRow, 'announcement_id' | 'state'>
>((db, p, _given, dialect) =>
  db
    .selectFrom('announcement_receivers')
    .select(['announcement_id', 'state'])
    .where('user_id', '=', p.user_id)
    .where(dialect.inJsonArray('announcement_id', p.ids, 'number')),
);

export const saveReceiver = saveIn(
  'announcement_receivers',
  ['state', 'error', 'updated_at'],
  'announcement_id',
  'user_id',
);

const queued = readAll<{ announcement_id: number }, { user_id: number }>((db, p) =>
  db
    .selectFrom('announcement_receivers')
    .select('user_id')
    .where('announcement_id', '=', p.announcement_id)
    .where('state', '=', sql.lit('queued')),
);

/** Whose mails wait in the outbox: never more than the outbox takes at a time. */
export async function listQueued(db: Reader, id: number): Promise<number[]> {
  return (await queued(db, { announcement_id: id })).map(({ user_id }) => user_id);
}

const cancel = write<{ announcement_id: number; ids: string; now: number }>(
  (db, p, _given, dialect) =>
    db
      .updateTable('announcement_receivers')
      .set({ state: 'cancelled', updated_at: p.now })
      .where('announcement_id', '=', p.announcement_id)
      .where(dialect.inJsonArray('announcement_receivers.user_id', p.ids, 'number'))
      .where('state', '=', sql.lit('queued')),
);

export async function cancelReceivers(
  tx: Transaction,
  id: number,
  userIds: readonly number[],
  now: number,
): Promise<void> {
  await cancel(tx, { announcement_id: id, ids: jsonList(userIds), now });
}

interface ReceiverFilter {
  announcement_id: number;
  state?: ReceiverState | undefined;
}

export const { count: countReceivers, page: listReceiverRows } = pagedList(
  (db, p: ReceiverFilter, given) =>
    db
      .selectFrom('announcement_receivers')
      .innerJoin('users', 'users.id', 'announcement_receivers.user_id')
      .where('announcement_id', '=', p.announcement_id)
      .$if(given('state'), (q) => q.where('announcement_receivers.state', '=', p.state!)),
  (q) =>
    q
      .select(['user_id', 'users.display_name', 'users.email'])
      .select([
        'announcement_receivers.state',
        'announcement_receivers.error',
        'announcement_receivers.updated_at',
      ])
      .orderBy('announcement_receivers.user_id'),
);

type Shown = Pick<RowOf<'announcements'>, 'id' | 'texts'> & {
  shown_at: number;
  read_at: number | null;
};

interface NewsFilter {
  user_id: number;
  unread?: true | undefined;
}

/** What a person reads in the portal, newest first. */
export const { count: countNews, page: listNews } = pagedList(
  (db, p: NewsFilter, given) =>
    db
      .selectFrom('announcement_receivers')
      .innerJoin('announcements', 'announcements.id', 'announcement_receivers.announcement_id')
      .where('user_id', '=', p.user_id)
      .where('announcements.in_portal', '=', sql.lit(1))
      .where('announcements.state', '!=', sql.lit('cancelled'))
      .$if(given('unread'), (q) => q.where('read_at', 'is', null)),
  (q) =>
    q
      .select(['announcements.id', 'announcements.texts', 'started_at as shown_at', 'read_at'])
      .$castTo<Shown>()
      .orderBy('announcement_receivers.announcement_id', 'desc'),
);

export const markNewsRead = write<{ user_id: number; up_to: number; now: number }>((db, p) =>
  db
    .updateTable('announcement_receivers')
    .set({ read_at: p.now })
    .where('user_id', '=', p.user_id)
    .where('announcement_id', '<=', p.up_to)
    .where('read_at', 'is', null),
);
