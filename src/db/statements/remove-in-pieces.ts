import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '../database.ts';
import { query, type Query } from './query.ts';
import type { Tables } from '../tables.ts';

/** In one transaction: whoever writes meanwhile waits for it, a few milliseconds. */
const AT_ONCE = 1_000;

type Piece<P> = P & { limit: number };

/**
 * A statement that removes the first of the rows that meet a condition, in the order of a column. All up
 * to one value: a list of keys would be joined, and where the table was mostly empty before, each
 * compared with each. Where several have that value they go together.
 */
export function removeFirst<P extends object>(
  table: keyof Tables,
  column: string,
  condition: (p: { readonly [K in keyof P]-?: P[K] }) => RawBuilder<SqlBool>,
): Query<Piece<P>, never> {
  return query<Piece<P>>((db, p) => {
    const [from, by, meets] = [sql.table(table), sql.ref(column), condition(p)];
    const first = sql`select ${by} from ${from} where ${meets} order by ${by} limit ${p.limit}`;
    const statement = sql`delete from ${from} where ${meets}
      and ${by} <= (select max(${by}) from (${first}) as first)`;
    return { compile: () => statement.compile(db) };
  });
}

/** Removes all of them, and lets others write in between. */
export async function removeInPieces<P extends object>(
  database: Database,
  statement: Query<Piece<P>, never>,
  params: P,
): Promise<void> {
  const piece = { ...params, limit: AT_ONCE };
  while ((await database.transaction((tx) => tx.run(statement, piece))) >= AT_ONCE);
}
