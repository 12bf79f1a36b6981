import { sql } from 'kysely';
import { pagedList, readCount } from '../../src/db/lists/paged-list.ts';
import { insertOne, readAll, readFirst } from '../../src/db/statements/calls.ts';
import { findIn, removeFrom, saveIn } from '../../src/db/statements/plain-calls.ts';
import type { NewRowOf, RowOf } from '../../src/db/tables.ts';
import type { PageState } from './tables.ts';

export type PageRow = RowOf<'personal_pages'>;

export const insertPage = insertOne<NewRowOf<'personal_pages'>, PageRow>((db, row) =>
  db.insertInto('personal_pages').values(row).returningAll(),
);

export const findPage = findIn('personal_pages', 'id');

/** The versions of an affiliate: two at most. */
export const listPagesOf = readAll<{ user_id: number }, PageRow>((db, p) =>
  db.selectFrom('personal_pages').selectAll().where('user_id', '=', p.user_id).orderBy('id'),
);

export const changeState = saveIn('personal_pages', ['state', 'reason'], 'id');

export const deletePage = removeFrom('personal_pages', 'id');

export const deletePagesOf = removeFrom('personal_pages', 'user_id');

export const countWaiting = readCount((db, _p: object) =>
  db.selectFrom('personal_pages').where('state', '=', sql.lit('waiting')),
);

export const { count: countPages, page: listPageRows } = pagedList(
  (db, p: { state?: PageState | undefined }, given) =>
    db
      .selectFrom('personal_pages')
      .$if(given('state'), (q) => q.where('personal_pages.state', '=', p.state!)),
  (q) =>
    q
      // In this order, which SQLite must not change: a list reads one page of the personal pages.
      .crossJoin('users')
      .whereRef('users.id', '=', 'personal_pages.user_id')
      .selectAll('personal_pages')
      .select('users.display_name')
      .orderBy('personal_pages.id', 'desc'),
);

interface ShownPage extends Pick<PageRow, 'name' | 'text' | 'language'> {
  /** Of the picture; null without one. */
  file_id: number | null;
}

const ACTIVE = sql.lit<'active'>('active');

/** What visitors of a code see: the page of the affiliate to whom its clicks and orders are credited. */
export const findShownPage = readFirst<{ coupon_id: number }, ShownPage>((db, p) =>
  db
    .selectFrom('coupons')
    .leftJoin('affiliates', 'affiliates.user_id', 'coupons.user_id')
    .innerJoin('personal_pages', 'personal_pages.user_id', 'coupons.user_id')
    .select(['personal_pages.name', 'personal_pages.text', 'personal_pages.language'])
    .select('personal_pages.file_id')
    .where('coupons.id', '=', p.coupon_id)
    .where((eb) => eb(eb.fn.coalesce('affiliates.status', ACTIVE), '=', ACTIVE))
    .where('personal_pages.state', '=', sql.lit('shown')),
);
