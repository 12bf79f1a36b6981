import { sql, type Compilable, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../tables.ts';
import { query, type Query } from './query.ts';
import { onceForColumns } from './row-query.ts';

/** A statement that writes any number of rows, with the columns that the first one has. All rows have the same. */
export interface RowsQuery<R, S = RowsStatements<R>> {
  statementsFor(first: R): S;
}

/**
 * SQLite runs a statement for one row or for 16 at a time, because a JSON
 * array takes three times as long (measured). PostgreSQL gets all rows in one round trip: one
 * row with `one`, more as a JSON array. The driver takes eight times as long to write arrays for `unnest`
 * (measured, decision 24).
 */
export interface RowsStatements<R, T = never> {
  readonly one: Query<R, T>;
  readonly list: Query<{ rows: string }, T>;
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
export type UpdateQuery<R> = RowsQuery<R, UpdateStatements<R>>;

interface UpdateStatements<R> extends RowsStatements<R> {
  /** The 1-based positions of the given rows that changed a row. */
  readonly changed: Query<{ rows: string }, { n: number }>;
}

type Columns<R> = readonly (keyof R & string)[];

/** What becomes of the columns of an existing row. A column that is not named stays as it is. */
interface Change<R> {
  /** The columns that are replaced. */
  readonly set?: Columns<R>;
  /** Instead of `set`: all are replaced but these. */
  readonly keep?: Columns<R>;
  /** The columns that are added to those of the existing row. */
  readonly add?: Columns<R>;
}

export interface Conflict<R> extends Change<R> {
  /** The columns of the unique index. */
  readonly on: Columns<R>;
  /** A row with the same or a lower value in this column stays as it is. */
  readonly unlessLower?: keyof R & string;
  /** A row with another value than 0 in this column stays as it is. */
  readonly unlessSet?: keyof R & string;
}

/** Inserts rows in the given order. No two of them may have the same values in `conflict.on`. */
export function insertRows<R extends object>(
  table: keyof Tables,
  conflict?: Conflict<R>,
): RowsQuery<R> {
  return inserts(table, (names) => (conflict ? onConflict(table, names, conflict) : sql``));
}

/** Inserts rows and returns these columns of each. */
export function insertReturning<R extends object, T>(
  table: keyof Tables,
  columns: Columns<T>,
): RowsQuery<R, RowsStatements<R, T>> {
  return inserts(table, () => sql`returning ${refs(columns)}`);
}

function inserts<R extends object, T>(
  table: keyof Tables,
  endOf: (names: Columns<R>) => RawBuilder<unknown>,
): RowsQuery<R, RowsStatements<R, T>> {
  const statementsFor = onceForColumns<R, RowsStatements<R, T>>((names) => {
    const into = sql`insert into ${sql.table(table)} (${refs(names)})`;
    const end = endOf(names);
    return {
      one: query((db, p) => {
        const values = names.map((name) => sql`${p[name]}`);
        return compilable(db, sql`${into} values (${sql.join(values)}) ${end}`);
      }),
      list: query((db, p) =>
        compilable(
          db,
          sql`${into} select ${refs(names)} from ${recordsOf(table, p.rows)} order by ordinality ${end}`,
        ),
      ),
      several: {
        query: query<unknown[]>((db, p) => {
          const rows = Array.from({ length: SEVERAL_ROWS }, (_, row) => {
            const values = names.map((_name, column) => sql`${p[row * names.length + column]}`);
            return sql`(${sql.join(values)})`;
          });
          return compilable(db, sql`${into} values ${sql.join(rows)} ${end}`);
        }),
        names,
      },
    };
  });
  return { statementsFor };
}

interface KeyedChange<R> extends Change<R> {
  /** The columns that find the row. */
  readonly key: Columns<R>;
  /** A column that is set too, and only upwards: a row with the same or a higher value stays as it is. */
  readonly raise?: keyof R & string;
}

/**
 * Changes existing rows, each found by its key: sets columns, or adds to them. No two of the given rows may
 * have the same key. On PostgreSQL the keys are compared as arrays too, because it would join the given rows
 * with all rows of a table that is not large.
 */
export function updateRows<R extends object>(
  table: keyof Tables,
  change: KeyedChange<R>,
): UpdateQuery<R> {
  type Value = (name: keyof R & string) => RawBuilder<unknown>;
  const { key, add = [], raise } = change;
  const target = (name: string) => sql.ref(`${table}.${name}`);
  const raised = raise === undefined ? [] : [raise];
  const found = (value: Value) => [
    ...key.map((name) => sql`${target(name)} = ${value(name)}`),
    ...raised.map((name) => sql`${target(name)} < ${value(name)}`),
  ];
  const statementsFor = onceForColumns<R, UpdateStatements<R>>((names) => {
    const set = [...replaced(names, key, change), ...raised];
    const update = (value: Value) => {
      const changes = [
        ...set.map((name) => sql`${sql.ref(name)} = ${value(name)}`),
        ...add.map((name) => sql`${sql.ref(name)} = ${target(name)} + ${value(name)}`),
      ];
      return sql`update ${sql.table(table)} set ${sql.join(changes)}`;
    };
    const updateList = (rows: string) => {
      const value: Value = (name) => sql.ref(`given.${name}`);
      const lookUp = key.map(
        (name) => sql`${target(name)} = any(array(select ${sql.ref(name)} from given))`,
      );
      const given = sql`select ${refs([...key, ...set, ...add])}, ordinality as n from ${recordsOf(table, rows)}`;
      return sql`with given as materialized (${given})
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
  });
  return { statementsFor };
}

function replaced<R>(
  names: Columns<R>,
  key: Columns<R>,
  { set = [], keep }: Change<R>,
): Columns<R> {
  return keep ? names.filter((name) => !key.includes(name) && !keep.includes(name)) : set;
}

function all(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}

function onConflict<R>(
  table: string,
  names: Columns<R>,
  conflict: Conflict<R>,
): RawBuilder<unknown> {
  const { on, add = [] } = conflict;
  const given = (name: string) => sql.ref(`excluded.${name}`);
  const changes = [
    ...replaced(names, on, conflict).map((name) => sql`${sql.ref(name)} = ${given(name)}`),
    ...add.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${given(name)}`),
  ];
  const then = changes.length === 0 ? sql`nothing` : sql`update set ${sql.join(changes)}`;
  const { unlessLower, unlessSet } = conflict;
  const stored = (name: string) => sql.ref(`${table}.${name}`);
  const conditions = [
    ...(unlessLower === undefined ? [] : [sql`${given(unlessLower)} < ${stored(unlessLower)}`]),
    ...(unlessSet === undefined ? [] : [sql`${stored(unlessSet)} = 0`]),
  ];
  const when = conditions.length === 0 ? sql`` : sql`where ${all(conditions)}`;
  return sql`on conflict (${refs(on)}) do ${then} ${when}`;
}

/** The objects of a JSON array as rows of the table, with their 1-based position as `ordinality`. */
function recordsOf(table: keyof Tables, rows: string): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${rows}::json) with ordinality`;
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
