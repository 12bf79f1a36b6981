import { sql, type Compilable, type Kysely, type RawBuilder } from 'kysely';
import { query, type Query } from './query.ts';
import type { Tables } from '../tables.ts';

/** The columns to write, and whether they hold text or numbers. */
type Columns<R> = { readonly [K in keyof R & string]-?: 'text' | 'number' };

/**
 * A statement that writes any number of rows. SQLite runs it for one row or for 16 at a time, because a JSON
 * array takes three times as long (measured). PostgreSQL gets all rows in one round trip: one
 * row with `one`, more as a JSON array. The driver takes eight times as long to write arrays for `unnest`
 * (measured, decision 24).
 */
export interface RowsQuery<R> {
  readonly one: Query<R, never>;
  readonly list: Query<{ rows: string }, never>;
  /** SQLite runs it for `SEVERAL_ROWS` rows: a batch of orders takes a fifth less time than with `one` (measured). */
  readonly several?: SeveralRows;
}

export const SEVERAL_ROWS = 16;

export interface SeveralRows {
  /** Binds values by position: the columns of the first row, then those of the next. */
  readonly query: Query<unknown[], never>;
  readonly names: readonly string[];
}

/** A statement that changes existing rows, and can report which of the given rows changed one. */
export interface UpdateQuery<R> extends RowsQuery<R> {
  /** The 1-based positions of the given rows that changed a row. */
  readonly changed: Query<{ rows: string }, { n: number }>;
}

interface Conflict<R> {
  /** The columns of the unique index. */
  readonly on: readonly (keyof R & string)[];
  /** The columns that replace those of the existing row, or are added to them. Without both it is not changed. */
  readonly set?: readonly (keyof R & string)[];
  readonly add?: readonly (keyof R & string)[];
}

/** Inserts rows in the given order. No two of them may have the same values in `conflict.on`. */
export function insertRows<R>(
  table: keyof Tables,
  columns: Columns<R>,
  conflict?: Conflict<R>,
): RowsQuery<R> {
  const names = Object.keys(columns);
  const into = sql`insert into ${sql.table(table)} (${refs(names)})`;
  const otherwise = conflict ? onConflict(table, conflict) : sql``;
  return {
    one: query((db, p) => {
      // `names` are the keys of `columns`.
      const values = names.map((name) => sql`${p[name as keyof R]}`);
      return compilable(db, sql`${into} values (${sql.join(values)}) ${otherwise}`);
    }),
    list: query((db, p) =>
      compilable(
        db,
        sql`${into} select ${refs(names)} from ${recordsOf(p.rows, columns)} order by n ${otherwise}`,
      ),
    ),
    several: {
      query: query<unknown[]>((db, p) => {
        const rows = Array.from({ length: SEVERAL_ROWS }, (_, row) => {
          const values = names.map((_name, column) => sql`${p[row * names.length + column]}`);
          return sql`(${sql.join(values)})`;
        });
        return compilable(db, sql`${into} values ${sql.join(rows)} ${otherwise}`);
      }),
      names,
    },
  };
}

interface Change<R> {
  /** The columns that find the row. */
  readonly key: readonly (keyof R & string)[];
  readonly set: readonly (keyof R & string)[];
  readonly add: readonly (keyof R & string)[];
  /** A column that is set too, and only upwards: a row with the same or a higher value stays as it is. */
  readonly raise?: keyof R & string;
}

/**
 * Changes existing rows, each found by its key: sets columns, or adds to them. No two of the given rows may
 * have the same key. On PostgreSQL the keys are compared as arrays too, because it would join the given rows
 * with all rows of a table that is not large.
 */
export function updateRows<R>(
  table: keyof Tables,
  columns: Columns<R>,
  { key, set, add, raise }: Change<R>,
): UpdateQuery<R> {
  type Value = (name: keyof R & string) => RawBuilder<unknown>;
  const target = (name: string) => sql.ref(`${table}.${name}`);
  const raised = raise === undefined ? [] : [raise];
  const update = (value: Value) => {
    const changes = [
      ...[...set, ...raised].map((name) => sql`${sql.ref(name)} = ${value(name)}`),
      ...add.map((name) => sql`${sql.ref(name)} = ${target(name)} + ${value(name)}`),
    ];
    return sql`update ${sql.table(table)} set ${sql.join(changes)}`;
  };
  const found = (value: Value) => [
    ...key.map((name) => sql`${target(name)} = ${value(name)}`),
    ...raised.map((name) => sql`${target(name)} < ${value(name)}`),
  ];
  const updateList = (rows: string) => {
    const value: Value = (name) => sql.ref(`given.${name}`);
    const lookUp = key.map(
      (name) => sql`${target(name)} = any(array(select ${sql.ref(name)} from given))`,
    );
    return sql`with given as materialized (select * from ${recordsOf(rows, columns)})
      ${update(value)} from given where ${all([...found(value), ...lookUp])}`;
  };
  return {
    one: query((db, p) => {
      const value: Value = (name) => sql`${p[name]}`;
      return compilable(db, sql`${update(value)} where ${all(found(value))}`);
    }),
    list: query((db, p) => compilable(db, updateList(p.rows))),
    changed: query((db, p) => compilable(db, sql`${updateList(p.rows)} returning given.n`)),
  };
}

function all(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}

function onConflict<R>(
  table: string,
  { on, set = [], add = [] }: Conflict<R>,
): RawBuilder<unknown> {
  const given = (name: string) => sql.ref(`excluded.${name}`);
  const changes = [
    ...set.map((name) => sql`${sql.ref(name)} = ${given(name)}`),
    ...add.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${given(name)}`),
  ];
  const then = changes.length === 0 ? sql`nothing` : sql`update set ${sql.join(changes)}`;
  return sql`on conflict (${refs(on)}) do ${then}`;
}

/** The objects of a JSON array as rows `given`, with their 1-based position as `n`. */
function recordsOf<R>(rows: unknown, columns: Columns<R>): RawBuilder<unknown> {
  const entries = Object.entries<string>(columns);
  const types = entries.map(
    ([name, kind]) => sql`${sql.ref(name)} ${sql.raw(kind === 'text' ? 'text' : 'bigint')}`,
  );
  const names = refs([...entries.map(([name]) => name), 'n']);
  return sql`rows from (json_to_recordset(${rows}::json) as (${sql.join(types)}))
    with ordinality as given (${names})`;
}

function refs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

function compilable<R = never>(db: Kysely<Tables>, statement: RawBuilder<unknown>): Compilable<R> {
  return { compile: () => statement.compile(db) };
}

const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * A JSON array for `inJsonArray` and `jsonRows`. JSON can express NUL and lone surrogates, which text in a
 * database cannot hold: they become U+FFFD, as in a value that is bound directly.
 */
export function jsonList(values: readonly unknown[]): string {
  const json = JSON.stringify(values);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(values, (_, value: unknown) =>
    typeof value === 'string' ? storableText(value) : value,
  );
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
