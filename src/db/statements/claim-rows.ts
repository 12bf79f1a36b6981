import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Tables } from '../tables.ts';
import { query, type Query } from './query.ts';

/** Rows that a read has chosen, and the lease that this process requests. */
export interface Claim {
  /** A JSON array of ids. */
  ids: string;
  now: number;
  until: number;
}

interface Lease<P> {
  /** The column that holds the end of the lease. */
  column: string;
  /** Whether a row has no lease: the condition by which the read has chosen it. */
  isFree: (p: { readonly [K in keyof (P & Claim)]-?: (P & Claim)[K] }) => RawBuilder<SqlBool>;
  /** A column that counts the claims of a row. */
  count?: string;
  returning: '*' | 'id';
}

/**
 * A statement that leases chosen rows to this process and returns those it got. It repeats the condition
 * of the read, because another process may have chosen the same rows: PostgreSQL makes the second update
 * wait for the first, then checks the conditions of the update again, and no others.
 */
export function claimRows<R, P extends object = object>(
  table: keyof Tables,
  { column, isFree, count, returning }: Lease<P>,
): Query<P & Claim, R> {
  return query<P & Claim, R>((db, p, _given, dialect) => {
    const counted = count === undefined ? sql`` : sql`, ${sql.ref(count)} = ${sql.ref(count)} + 1`;
    const statement = sql<R>`update ${sql.table(table)} set ${sql.ref(column)} = ${p.until} ${counted}
      where ${dialect.inJsonArray('id', p.ids, 'number')} and ${isFree(p)}
      returning ${sql.raw(returning)}`;
    return { compile: () => statement.compile(db) };
  });
}
