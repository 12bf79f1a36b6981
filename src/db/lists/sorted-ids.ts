import type { SelectQueryBuilder } from 'kysely';
import { fromTheEnd, type Slice } from '../../shared/pagination.ts';
import type { Reader } from '../database.ts';
import type { SharedKeyedQuery } from '../statements/keyed-query.ts';
import { query, type Query } from '../statements/query.ts';
import type { Matching } from './paged-list.ts';
import { longIfSearched } from './search.ts';

/** The name of a column to sort by; with a minus sign the highest or latest comes first. */
export type Sort<C extends string> = C | `-${C}`;
type Direction = 'asc' | 'desc';

/** With more matches than this, a walk along the index of the sort passes few others before a page is full. */
const FEW_MAX = 3_000;

/**
 * The statement of one sort. What few rows match is collected and sorted; for what many match, a walk along the
 * index of the sort checks each row on its way.
 */
type Build<C, F> = (
  column: C,
  direction: Direction,
  matches: 'few' | 'many',
) => Matching<F, SelectQueryBuilder<any, any, { id: number }>>;

export interface Wanted<S> extends Slice {
  readonly sort: S;
  /** How many rows match; without it they are few. */
  readonly total?: number | undefined;
}

/**
 * The ids of a page. They come from an index, so that skipped rows are not read; `rowsInOrder` reads the rows. In one
 * statement PostgreSQL, which does not know how short a page is, would read all rows and join them.
 */
export function sortedIds<C extends string, F extends object>(
  columns: readonly C[],
  build: Build<C, F>,
): (db: Reader, filter: F, wanted: Wanted<Sort<C>>) => Promise<number[]> {
  type Ids = Query<F & Slice, { id: number }>;
  const statements = new Map<string, Ids>();
  for (const column of columns) {
    for (const direction of ['asc', 'desc'] as const) {
      for (const matches of ['few', 'many'] as const) {
        const matching = build(column, direction, matches);
        const statement: Ids = query(
          (db, p, given, dialect) =>
            // The placeholders of a filter stand for its values.
            matching(db, p as F, given, dialect)
              .limit(p.limit)
              .offset(p.offset),
          longIfSearched,
        );
        statements.set(`${matches} ${direction === 'desc' ? '-' : ''}${column}`, statement);
      }
    }
  }
  return async (db, filter, { sort, total = 0, limit, offset }) => {
    const idsBy = async (statement: string, slice: Slice) =>
      (await db.all(statements.get(statement)!, { ...filter, ...slice })).map(({ id }) => id);
    if (total <= FEW_MAX) return idsBy(`few ${sort}`, { limit, offset });
    // A page in the second half is nearer to the end: the walk to it begins there.
    const fromEnd = fromTheEnd({ limit, offset }, total);
    if (!fromEnd) return idsBy(`many ${sort}`, { limit, offset });
    const reversed = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
    return (await idsBy(`many ${reversed}`, fromEnd)).toReversed();
  };
}

/** The rows of these keys, in the order of the keys. */
export async function rowsInOrder<R>(
  db: Reader,
  rows: SharedKeyedQuery<number, R>,
  keys: readonly number[],
): Promise<R[]> {
  const found = await db.allByKeys(rows, keys);
  const byKey = new Map(found.map((row) => [row[rows.key], row]));
  // A key column holds its key.
  return keys.flatMap((key) => byKey.get(key as R[keyof R & string]) ?? []);
}
