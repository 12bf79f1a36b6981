import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database, Transaction } from '../database.ts';
import type { Tables } from '../tables.ts';
import { query, type Query } from './query.ts';

/** Rows per transaction. Other writers wait for one batch, which takes a few milliseconds. */
const BATCH_SIZE = 1_000;

type Batch<P> = P & { limit: number };
type Parameters<P> = { readonly [K in keyof P]-?: P[K] };

/**
 * Runs a statement until no row is left, with one transaction per batch. `lock` takes the locks of others that change
 * several of these rows: two that lock rows in different orders would wait for each other.
 */
type RunInBatches<P> = (
  database: Database,
  params: P,
  lock?: (tx: Transaction) => Promise<void>,
) => Promise<void>;

function inBatches<P extends object>(statement: Query<Batch<P>, never>): RunInBatches<P> {
  return async (database, params, lock) => {
    const batch = { ...params, limit: BATCH_SIZE };
    const runOne = () =>
      database.transaction(async (tx) => {
        await lock?.(tx);
        return tx.run(statement, batch);
      });
    while ((await runOne()) >= BATCH_SIZE);
  };
}

/**
 * Changes all rows that meet a condition, found by their key. A row that is changed must not meet the condition any
 * more.
 */
export function updateInBatches<P extends object>(
  table: keyof Tables,
  key: string,
  build: (p: Parameters<P>) => { set: RawBuilder<unknown>; where: RawBuilder<SqlBool> },
): RunInBatches<P> {
  const statement = query<Batch<P>>((db, p) => {
    const { set, where } = build(p);
    const [target, by] = [sql.table(table), sql.ref(key)];
    const some = sql`select ${by} from ${target} where ${where} limit ${p.limit}`;
    const update = sql`update ${target} set ${set} where ${by} in (${some}) and ${where}`;
    return { compile: () => update.compile(db) };
  });
  return inBatches(statement);
}

/**
 * Deletes all rows that meet a condition, in the order of a column. A batch deletes all rows up to one value of that
 * column, because PostgreSQL would join a list of keys with the table, and compare each with each where statistics say
 * that the table is small. Rows with that same value are deleted together.
 */
export function deleteInBatches<P extends object>(
  table: keyof Tables,
  column: string,
  condition: (p: Parameters<P>) => RawBuilder<SqlBool>,
): RunInBatches<P> {
  const statement = query<Batch<P>>((db, p) => {
    const [from, by, where] = [sql.table(table), sql.ref(column), condition(p)];
    const first = sql`select ${by} from ${from} where ${where} order by ${by} limit ${p.limit}`;
    const remove = sql`delete from ${from} where ${where}
      and ${by} <= (select max(${by}) from (${first}) as first)`;
    return { compile: () => remove.compile(db) };
  });
  return inBatches(statement);
}
