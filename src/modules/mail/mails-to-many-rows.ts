import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { readCount } from '../../db/lists/paged-list.ts';
import { write } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';

/** Mails to many that wait to be sent, counted up to a limit. */
export const countToMany = readCount((db, p: { limit: number }) =>
  db.selectFrom(
    db
      .selectFrom('outbox')
      .select('next_attempt_at')
      .where('state', '=', sql.lit('pending'))
      .where('unsubscribe', 'is not', null)
      .limit(p.limit)
      .as('waiting'),
  ),
);

/** Without those that are being sent: an attempt without a result may be under way. */
const hold = write<{ keys: string }>((db, p, _given, dialect) =>
  db
    .updateTable('outbox')
    .set({ state: 'held' })
    .where(dialect.inJsonArray('outbox.key', p.keys, 'text'))
    .where('state', '=', 'pending')
    .whereRef('answered', '=', 'attempts'),
);

const release = write<{ keys: string; now: number }>((db, p, _given, dialect) =>
  db
    .updateTable('outbox')
    .set({ state: 'pending', next_attempt_at: p.now })
    .where(dialect.inJsonArray('outbox.key', p.keys, 'text'))
    .where('state', '=', 'held'),
);

const withdraw = query<{ keys: string }, { key: string }>((db, p, _given, dialect) =>
  db
    .deleteFrom('outbox')
    .where(dialect.inJsonArray('outbox.key', p.keys, 'text'))
    .where('state', 'in', ['pending', 'held'])
    .whereRef('answered', '=', 'attempts')
    .returning('key'),
);

/** Keeps mails in the outbox, unsent, until they are released or withdrawn. */
export async function holdMails(tx: Transaction, keys: readonly string[]): Promise<void> {
  await hold(tx, { keys: jsonList(keys) });
}

export async function releaseMails(
  tx: Transaction,
  keys: readonly string[],
  now: number,
): Promise<void> {
  await release(tx, { keys: jsonList(keys), now });
}

/** Removes mails that are not sent and not being sent; returns their keys. */
export async function withdrawMails(tx: Transaction, keys: readonly string[]): Promise<string[]> {
  const gone = await tx.all(withdraw, { keys: jsonList(keys) });
  return gone.map(({ key }) => key);
}
