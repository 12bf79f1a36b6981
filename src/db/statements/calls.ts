import type { Reader, Transaction } from '../database.ts';
import { byNumber } from './keyed-query.ts';
import { query, type Query, type QueryOptions } from './query.ts';
import { rowQuery } from './row-query.ts';
import { jsonList, type RowsQuery, type RowsStatements } from './rows-query.ts';

/** Statements as functions, for those that need nothing around them: one declaration has the name and the SQL. */
type Build<P, R> = Parameters<typeof query<P, R>>[0];

/** A statement without parameters, or with optional ones only, is called without them. */
type Params<P> = object extends P ? [params?: P] : [params: P];

function called<P extends object, R, D, T>(
  statement: Query<P, R>,
  call: (db: D, q: Query<P, R>, p: P) => Promise<T>,
) {
  // Without parameters there are none to leave out.
  return (db: D, ...[params = {} as P]: Params<P>): Promise<T> => call(db, statement, params);
}

export const readFirst = <P extends object, R>(build: Build<P, R>, how?: QueryOptions) =>
  called(query(build, how), (db: Reader, statement, params) => db.first(statement, params));

/** For statements that always find a row, such as sums. */
export const readOne = <P extends object, R>(build: Build<P, R>, how?: QueryOptions) =>
  called(
    query(build, how),
    async (db: Reader, statement, params) => (await db.first(statement, params))!,
  );

export const readAll = <P extends object, R>(build: Build<P, R>, how?: QueryOptions) =>
  called(query(build, how), (db: Reader, statement, params) => db.all(statement, params));

/** Reads the rows of any number of keys. */
export function readByNumbers<R>(build: Parameters<typeof byNumber<R>>[0]) {
  const statement = byNumber(build);
  return (db: Reader, keys: readonly number[]): Promise<R[]> => db.allByKeys(statement, keys);
}

/** Resolves to the number of rows that it wrote. */
export const write = <P extends object>(build: Build<P, never>) =>
  called(query(build), (tx: Transaction, statement, params) => tx.run(statement, params));

/** Resolves to whether it wrote a row; for statements that write at most one. */
export const writeOne = <P extends object>(build: Build<P, never>) =>
  called(
    query(build),
    async (tx: Transaction, statement, params) => (await tx.run(statement, params)) === 1,
  );

/** Writes or locks at most one row and returns columns of it. */
export const writeFirst = <P extends object, R>(build: Build<P, R>) =>
  called(query(build), (tx: Transaction, statement, params) => tx.first(statement, params));

/** Writes a row with the columns that it has: `.values(row)`. */
export const insertRow = <P extends object>(build: Build<P, never>) =>
  called(rowQuery(build), (tx: Transaction, statement, row) => tx.run(statement, row));

/** Inserts a row like `insertRow`, and returns columns of it. */
export const insertOne = <P extends object, R>(build: Build<P, R>) =>
  called(
    rowQuery(build),
    async (tx: Transaction, statement, row) => (await tx.first(statement, row))!,
  );

/** Inserts any number of rows, and returns columns of each in any order. */
export async function insertAll<R extends object, T>(
  tx: Transaction,
  statement: RowsQuery<R, RowsStatements<R, T>>,
  rows: readonly R[],
): Promise<T[]> {
  const [first] = rows;
  if (!first) return [];
  const { one, list } = statement.statementsFor(first);
  if (rows.length > 1 && !tx.dialect.blocksEventLoop) {
    return tx.all(list, { rows: jsonList(rows) });
  }
  return (await Promise.all(rows.map((row) => tx.all(one, row)))).flat();
}
