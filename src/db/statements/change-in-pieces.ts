import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '../database.ts';
import { query, type Query } from './query.ts';
import type { Tables } from '../tables.ts';

/** In one transaction: others that write wait for it, a few milliseconds. */
const AT_ONCE = 1_000;

type Piece<P> = P & { limit: number };

/**
 * A statement that changes some of the rows that meet a condition, found by their key. Once changed, a
 * row must not meet it any more.
 */
export function changeSome<P extends object>(
  table: keyof Tables,
  key: string,
  make: (p: { readonly [K in keyof P]-?: P[K] }) => {
    set: RawBuilder<unknown>;
    where: RawBuilder<SqlBool>;
  },
): Query<Piece<P>, never> {
  return query<Piece<P>>((db, p) => {
    const { set, where } = make(p);
    const [of, by] = [sql.table(table), sql.ref(key)];
    const some = sql`select ${by} from ${of} where ${where} limit ${p.limit}`;
    const statement = sql`update ${of} set ${set} where ${by} in (${some}) and ${where}`;
    return { compile: () => statement.compile(db) };
  });
}

/** Changes all of them, and lets others write in between. */
export async function changeInPieces<P extends object>(
  database: Database,
  statement: Query<Piece<P>, never>,
  params: P,
): Promise<void> {
  const piece = { ...params, limit: AT_ONCE };
  while ((await database.transaction((tx) => tx.run(statement, piece))) >= AT_ONCE);
}

/** A moment that is bound when the statement runs: without its type, a sum with it may overflow. */
export function instant(nowMs: number): RawBuilder<number> {
  return sql<number>`cast(${nowMs} as bigint)`;
}

/** The wait that follows so many attempts: the first before any, the last after all others. */
export function waitAfter(
  attempts: RawBuilder<number>,
  waitsMs: readonly number[],
): RawBuilder<number> {
  const known = waitsMs
    .slice(0, -1)
    .map((ms, count) => sql`when ${attempts} <= ${sql.lit(count)} then ${sql.lit(ms)}`);
  return sql<number>`case ${sql.join(known, sql` `)} else ${sql.lit(waitsMs.at(-1))} end`;
}
