import type { Reader, Transaction } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import type { EventRow } from './event-rows.ts';

/** Events of the feed in order. PostgreSQL has them there once they are sequenced. */
export const listEventsAfter = readAll<
  { after: number; until: number; limit: number },
  Pick<EventRow, 'id' | 'event'>
>((db, p) =>
  db
    .selectFrom('events')
    .select(['id', 'event'])
    .where('id', '>', p.after)
    .where('id', '<=', p.until)
    .orderBy('id')
    .limit(p.limit),
);

/** How far a reader has read the feed. Without a stored position there has never been one. */
export class FeedCursor {
  readonly #begin;
  readonly #find;
  readonly #move;

  constructor(name: string) {
    this.#begin = query<{ position: number }>((db, p) =>
      db
        .insertInto('cursors')
        .values({ name, position: p.position })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    );
    this.#find = query<object, { position: number }>((db) =>
      db.selectFrom('cursors').select('position').where('name', '=', name),
    );
    this.#move = query<{ from: number; to: number }>((db, p) =>
      db
        .updateTable('cursors')
        .set({ position: p.to })
        .where('name', '=', name)
        .where('position', '=', p.from),
    );
  }

  /** Creates the cursor, unless there is one: earlier events are not for its reader. */
  async begin(tx: Transaction, position: number): Promise<void> {
    await tx.run(this.#begin, { position });
  }

  async position(db: Reader): Promise<number | undefined> {
    return (await db.first(this.#find, {}))?.position;
  }

  /** Moves the cursor only from the position that was read: of two concurrent moves, one fails. */
  async move(tx: Transaction, from: number, to: number): Promise<void> {
    const moved = await tx.run(this.#move, { from, to });
    if (moved !== 1) throw new Error('Another instance has moved on with these events');
  }
}
