import { sql } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';

const CURSOR = 'stores.coupons';

/** Starts with the events after this moment. */
const begin = query<{ name: string }>((db, p) =>
  db
    .insertInto('cursors')
    .values({
      name: p.name,
      position: sql<number>`coalesce((select max(id) from events), 0)`,
    })
    .onConflict((conflict) => conflict.column('name').doNothing()),
);

const find = query<{ name: string }, { position: number }>((db, p) =>
  db.selectFrom('cursors').select('position').where('name', '=', p.name),
);

const move = query<{ name: string; to: number }>((db, p) =>
  db.updateTable('cursors').set({ position: p.to }).where('name', '=', p.name),
);

/** From now on events of coupons are followed, because a connection creates codes in its store. */
export async function beginCoupons(tx: Transaction): Promise<void> {
  await tx.run(begin, { name: CURSOR });
}

/** Undefined if no connection has ever created codes. */
export async function couponPosition(db: Reader): Promise<number | undefined> {
  return (await db.first(find, { name: CURSOR }))?.position;
}

export async function moveCouponCursor(tx: Transaction, to: number): Promise<void> {
  await tx.run(move, { name: CURSOR, to });
}
