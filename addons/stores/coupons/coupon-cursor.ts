import { sql } from 'kysely';
import { readFirst, write } from '../../../src/db/statements/calls.ts';

const CURSOR = 'stores.coupons';

/** From now on events of coupons are followed, because a connection creates codes in its store. */
export const beginCoupons = write((db) =>
  db
    .insertInto('cursors')
    .values({ name: CURSOR, position: sql<number>`coalesce((select max(id) from events), 0)` })
    .onConflict((conflict) => conflict.column('name').doNothing()),
);

/** Undefined if no connection has ever created codes. */
export const findCouponCursor = readFirst<object, { position: number }>((db) =>
  db.selectFrom('cursors').select('position').where('name', '=', CURSOR),
);

export const moveCouponCursor = write<{ to: number }>((db, p) =>
  db.updateTable('cursors').set({ position: p.to }).where('name', '=', CURSOR),
);
