import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Slice } from '../../shared/pagination.ts';
import type { Reader } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { query, type QueryOptions } from '../statements/query.ts';
import type { Tables } from '../tables.ts';
import { longIfSearched } from './search.ts';

/** Selects the rows that meet a filter, without columns and order. */
export type Matching<F, Q> = (
  db: Kysely<Tables>,
  p: F,
  given: (name: keyof F & string) => boolean,
  dialect: Dialect,
) => Q;

/** Counts the rows that meet a filter. */
export function readCount<F extends object, DB, TB extends keyof DB, O>(
  matching: Matching<F, SelectQueryBuilder<DB, TB, O>>,
  how = longIfSearched,
): (db: Reader, filter: F) => Promise<number> {
  const statement = query<F, { total: number }>(
    (db, p, given, dialect) =>
      // The placeholders of a filter stand for its values.
      matching(db, p as F, given, dialect).select((eb) => eb.fn.countAll<number>().as('total')),
    how,
  );
  return async (db, filter) => (await db.first(statement, filter))!.total;
}

/** Reads one page of the rows that meet a filter. */
export function readPage<F extends object, R>(
  sorted: Matching<F, SelectQueryBuilder<any, any, R>>,
  how = longIfSearched,
): (db: Reader, filter: F, slice: Slice) => Promise<R[]> {
  const statement = query<F & Slice, R>(
    (db, p, given, dialect) =>
      sorted(db, p as F, given, dialect)
        .limit(p.limit)
        .offset(p.offset),
    how,
  );
  return (db, filter, slice) => db.all(statement, { ...filter, ...slice });
}

/** Both of the same rows; `sorted` adds the columns and the order. `how` is for filters that pass many rows. */
export function pagedList<F extends object, DB, TB extends keyof DB, O, R>(
  matching: Matching<F, SelectQueryBuilder<DB, TB, O>>,
  sorted: (matching: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<any, any, R>,
  how?: QueryOptions,
) {
  return {
    count: readCount(matching, how),
    page: readPage<F, R>((...filter) => sorted(matching(...filter)), how),
  };
}
