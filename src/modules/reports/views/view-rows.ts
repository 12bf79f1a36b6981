import { insertOne, readAll, writeFirst } from '../../../db/statements/calls.ts';
import { removeOneFrom } from '../../../db/statements/plain-calls.ts';
import type { RowOf } from '../../../db/tables.ts';

export type ViewRow = RowOf<'report_views'>;
type NewView = Omit<ViewRow, 'id'>;

/** In the order of their names. */
export const listViewRows = readAll<{ user_id: number }, ViewRow>((db, p) =>
  db
    .selectFrom('report_views')
    .selectAll()
    .where('user_id', '=', p.user_id)
    .orderBy('name')
    .orderBy('id'),
);

export const insertView = insertOne<NewView, ViewRow>((db, row) =>
  db.insertInto('report_views').values(row).returningAll(),
);

export const replaceView = writeFirst<NewView, ViewRow>((db, p) =>
  db
    .updateTable('report_views')
    .set({ query: p.query })
    .where('user_id', '=', p.user_id)
    .where('name', '=', p.name)
    .returningAll(),
);

export const removeView = removeOneFrom('report_views', 'id', 'user_id');
