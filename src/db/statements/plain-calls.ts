import { sql, type Compilable, type Kysely, type RawBuilder } from 'kysely';
import type { RowOf, Tables } from '../tables.ts';
import { readByNumbers, readFirst, write, writeOne } from './calls.ts';
import { byText } from './keyed-query.ts';

/* The plain statements on one table as functions: rows are found by the values of columns. */

type ColumnOf<N extends keyof Tables> = keyof RowOf<N> & string;

/** Makes a statement that ends with the condition that columns have the values of its parameters. */
const ofKeys =
  (text: RawBuilder<unknown>, keys: readonly string[]) => (db: Kysely<Tables>, p: object) => {
    // The parameters are named like the columns.
    const values = p as Readonly<Record<string, unknown>>;
    const found = keys.map((name) => sql`${sql.ref(name)} = ${values[name]}`);
    return compiledFor<never>(db, sql`${text} where ${sql.join(found, sql` and `)}`);
  };

function compiledFor<R>(db: Kysely<Tables>, text: RawBuilder<unknown>): Compilable<R> {
  return { compile: () => text.compile(db) };
}

const allOf = (table: keyof Tables) => sql`select * from ${sql.table(table)}`;

/** Finds the row with some values. */
export const findIn = <N extends keyof Tables, K extends ColumnOf<N>>(
  table: N,
  ...keys: readonly K[]
): ReturnType<typeof readFirst<Pick<RowOf<N>, K>, RowOf<N>>> =>
  readFirst(ofKeys(allOf(table), keys));

/** Removes the rows with some values. */
export const removeFrom = <N extends keyof Tables, K extends ColumnOf<N>>(
  table: N,
  ...keys: readonly K[]
) => write<Pick<RowOf<N>, K>>(ofKeys(sql`delete from ${sql.table(table)}`, keys));

/** Removes the row with some values, and resolves to whether there was one. */
export const removeOneFrom = <N extends keyof Tables, K extends ColumnOf<N>>(
  table: N,
  ...keys: readonly K[]
) => writeOne<Pick<RowOf<N>, K>>(ofKeys(sql`delete from ${sql.table(table)}`, keys));

/** Saves columns of the row with some values. */
export const saveIn = <N extends keyof Tables, C extends ColumnOf<N>, K extends ColumnOf<N>>(
  table: N,
  columns: readonly C[],
  ...keys: readonly K[]
) =>
  write<Pick<RowOf<N>, C | K>>((db, p) => {
    const changes = columns.map((name) => sql`${sql.ref(name)} = ${p[name]}`);
    return ofKeys(sql`update ${sql.table(table)} set ${sql.join(changes)}`, keys)(db, p);
  });

/** Adds to columns of the row with some values. */
export const addIn = <N extends keyof Tables, C extends ColumnOf<N>, K extends ColumnOf<N>>(
  table: N,
  columns: readonly C[],
  ...keys: readonly K[]
) =>
  write<Pick<RowOf<N>, C | K>>((db, p) => {
    const sums = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(name)} + ${p[name]}`);
    return ofKeys(sql`update ${sql.table(table)} set ${sql.join(sums)}`, keys)(db, p);
  });

/** Reads the rows of any number of keys. */
export const listIn = <N extends keyof Tables>(
  table: N,
  key: ColumnOf<N>,
): ReturnType<typeof readByNumbers<RowOf<N>>> =>
  readByNumbers((db, isKey) => compiledFor(db, sql`${allOf(table)} where ${isKey(key)}`));

/** The rows of any number of texts. */
export const keyedIn = <N extends keyof Tables>(table: N, key: ColumnOf<N>) =>
  byText<RowOf<N>>((db, isKey) => compiledFor(db, sql`${allOf(table)} where ${isKey(key)}`));
