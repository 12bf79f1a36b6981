import {
  sql,
  type Compilable,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import { columnOf, type Dialect } from '../dialect.ts';
import type { Tables } from '../tables.ts';
import { query, type Query } from './query.ts';

/**
 * A statement that reads the rows of any number of keys. SQLite runs `one` for each of up to 7
 * keys, because a JSON array of one key takes four times as long (measured). PostgreSQL gets all keys in one round
 * trip: one key with `one`, more with `list` (decision 24).
 */
export interface KeyedQuery<K extends string | number, R> {
  readonly one: Query<{ key: K }, R>;
  readonly list: Query<{ keys: string }, R>;
}

/** A keyed query whose rows hold their key, so that reads of different keys can share a statement. */
export interface SharedKeyedQuery<K extends string | number, R> extends KeyedQuery<K, R> {
  readonly key: keyof R & string;
}

/** `isKey` is the condition that a column has one of the keys. An `order by` holds within one key only. */
type Build<R> = (
  db: Kysely<Tables>,
  isKey: (column: string | RawBuilder<unknown>) => Expression<SqlBool>,
  dialect: Dialect,
) => Compilable<R>;

export function byNumber<R>(build: Build<R>): KeyedQuery<number, R> {
  return keyedQuery(build, 'number');
}

export function rowsByNumber<R>(
  key: keyof R & string,
  build: Build<R>,
): SharedKeyedQuery<number, R> {
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
      build(db, (column) => sql<SqlBool>`${columnOf(column)} = ${p.key}`, dialect),
    ),
    list: query((db, p, _given, dialect) =>
      build(db, (column) => dialect.inJsonArray(column, p.keys, type), dialect),
    ),
  };
}
