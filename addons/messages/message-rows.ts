import { readCount, readPage } from '../../src/db/lists/paged-list.ts';
import {
  insertOne,
  insertRow,
  readByNumbers,
  readFirst,
  write,
} from '../../src/db/statements/calls.ts';
import { removeFrom } from '../../src/db/statements/plain-calls.ts';
import type { NewRowOf, RowOf } from '../../src/db/tables.ts';
import type { Side } from './tables.ts';

export type MessageRow = RowOf<'messages'>;

export const insertMessage = insertOne<NewRowOf<'messages'>, MessageRow>((db, row) =>
  db.insertInto('messages').values(row).returningAll(),
);

export const insertMessageFile = insertRow<RowOf<'message_files'>>((db, row) =>
  db.insertInto('message_files').values(row),
);

interface ThreadFilter {
  user_id: number;
  /** Only messages of this side after `after`. */
  side?: Side | undefined;
  after?: number | undefined;
}

/** Newest first. */
export const listMessageRows = readPage((db, p: ThreadFilter, given) =>
  db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'messages.author_id')
    .selectAll('messages')
    .select('users.display_name as author_name')
    .where('user_id', '=', p.user_id)
    .$if(given('side'), (q) => q.where('side', '=', p.side!))
    .$if(given('after'), (q) => q.where('messages.id', '>', p.after!))
    .orderBy('messages.id', 'desc'),
);

/** Messages of a side after one of them: those that the other side has not read. */
export const countAfter = readCount((db, p: Required<ThreadFilter>) =>
  db
    .selectFrom('messages')
    .where('user_id', '=', p.user_id)
    .where('id', '>', p.after!)
    .where('side', '=', p.side!),
);

export const findFilesOfMessages = readByNumbers<RowOf<'message_files'>>((db, isKey) =>
  db
    .selectFrom('message_files')
    .select(['file_id', 'message_id'])
    .where(isKey('message_id'))
    .orderBy('file_id'),
);

/** Whether the file was sent in the thread. */
export const findFileInThread = readFirst<
  { user_id: number; file_id: number },
  { file_id: number }
>((db, p) =>
  db
    .selectFrom('message_files')
    .innerJoin('messages', 'messages.id', 'message_files.message_id')
    .select('file_id')
    .where('file_id', '=', p.file_id)
    .where('messages.user_id', '=', p.user_id),
);

export const deleteFilesOfThread = write<{ user_id: number }>((db, p) =>
  db
    .deleteFrom('message_files')
    .where('message_id', 'in', (eb) =>
      eb.selectFrom('messages').select('id').where('user_id', '=', p.user_id),
    ),
);

export const deleteMessages = removeFrom('messages', 'user_id');

export const deleteThread = removeFrom('message_threads', 'user_id');
