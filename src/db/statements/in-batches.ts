import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';
import { query, type Query } from './query.ts';

/** Rows per transaction. Other writers wait for one batch, which takes a few milliseconds. */
const BATCH_SIZE = 1_000;

type Batch<P> = P & { limit: number };
type Parameters<P> = { readonly [K in keyof P]-?: P[K] };

/**
 * A statement that changes some of the rows that meet a condition, found by their key. A row that is
 * changed must not meet the condition any more.
 */
export function updateBatch<P extends object>(
  table: keyof Tables,
  key: string,
  build: (p: Parameters<P>) => { set: RawBuilder<unknown>; where: RawBuilder<SqlBool> },
): Query<Batch<P>, never> {
  return query<Batch<P>>((db, p) => {
    const { set, where } = build(p);
    const [target, by] = [sql.table(table), sql.ref(key)];
    const some = sql`select ${by} from ${target} where ${where} limit ${p.limit}`;
    const statement = sql`update ${target} set ${set} where ${by} in (${some}) and ${where}`;
    return { compile: () => statement.compile(db) };
  });
}

/**
 * A statement that deletes the first of the rows that meet a condition, in the order of a column. It
 * deletes all rows up to one value of that column, because PostgreSQL would join a list of keys with the
 * table, and compare each with each where statistics say that the table is small. Rows with that same
 * value are deleted together.
 */
export function deleteBatch<P extends object>(
  table: keyof Tables,
  column: string,
  condition: (p: Parameters<P>) => RawBuilder<SqlBool>,
): Query<Batch<P>, never> {
  return query<Batch<P>>((db, p) => {
    const [from, by, where] = [sql.table(table), sql.ref(column), condition(p)];
    const first = sql`select ${by} from ${from} where ${where} order by ${by} limit ${p.limit}`;
    const statement = sql`delete from ${from} where ${where}
      and ${by} <= (select max(${by}) from (${first}) as first)`;
    return { compile: () => statement.compile(db) };
  });
}

/** Runs such a statement until no row is left, with one transaction per batch. */
export async function runInBatches<P extends object>(
  database: Database,
  statement: Query<Batch<P>, never>,
  params: P,
): Promise<void> {
  const batch = { ...params, limit: BATCH_SIZE };
  while ((await database.transaction((tx) => tx.run(statement, batch))) >= BATCH_SIZE);
}
