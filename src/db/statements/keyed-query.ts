import { sql, type Compilable, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { query, type Query } from './query.ts';
import type { Tables } from '../tables.ts';

/**
 * A statement that reads what belongs to any of some keys, however many. Where a statement is a call of
 * a function, it is run for each key: for one key, which is the most frequent case, a list in JSON
 * takes four times as long (measured). Where it is a trip to a server, all keys go there together.
 */
export interface KeyedQuery<K extends string | number, R> {
  readonly one: Query<{ key: K }, R>;
  readonly list: Query<{ keys: string }, R>;
}

/** One whose rows tell to which key they belong, so that it can be run for several who ask for one each. */
export interface RowOfKey<K extends string | number, R> extends KeyedQuery<K, R> {
  readonly key: keyof R & string;
}

/** `isKey` tells whether a column has one of the keys. Any order is within what belongs to one key. */
type Build<R> = (
  db: Kysely<Tables>,
  isKey: (column: string) => Expression<SqlBool>,
  dialect: Dialect,
) => Compilable<R>;

export function byNumber<R>(build: Build<R>): KeyedQuery<number, R> {
  return keyedQuery(build, 'number');
}

export function rowsByNumber<R>(key: keyof R & string, build: Build<R>): RowOfKey<number, R> {
  return { ...byNumber(build), key };
}

export function byText<R>(build: Build<R>): KeyedQuery<string, R> {
  return keyedQuery(build, 'text');
}

function keyedQuery<K extends string | number, R>(
  build: Build<R>,
  type: 'number' | 'text',
): KeyedQuery<K, R> {
  return {
    one: query((db, p, _given, dialect) =>
      build(db, (column) => sql<SqlBool>`${sql.ref(column)} = ${p.key}`, dialect),
    ),
    list: query((db, p, _given, dialect) =>
      build(db, (column) => dialect.inJsonArray(column, p.keys, type), dialect),
    ),
  };
}
