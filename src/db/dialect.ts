import {
  sql,
  type ColumnDefinitionBuilder,
  type Compilable,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import type { Tables } from './tables.ts';

/**
 * The differences between SQLite and PostgreSQL, named by what they are needed for. Kysely only builds the SQL
 * text; statements run on our own connections (see database.ts), so its driver is a dummy.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgresql';
  readonly builder: Kysely<Tables>;
  /** The type of an id column that numbers rows automatically and never reuses a number. */
  readonly idType: RawBuilder<unknown>;
  idColumn(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** A column for whole numbers up to 2^53. */
  readonly bigInteger: 'integer' | 'bigint';
  /** Stores a table in the order of its primary key, where that is possible, as on SQLite: a range of keys is then read without lookups. */
  storedByKey<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ): CreateTableBuilder<T, C>;
  /**
   * Whether ids become visible in their order and without gaps, because there is one writer: SQLite. On
   * PostgreSQL a later id may be committed first, so events are numbered after the commit.
   */
  readonly commitsInIdOrder: boolean;
  /** Whether a statement blocks the event loop, as on SQLite; long ones are then split. */
  readonly blocksEventLoop: boolean;
  /** 1 while the database is read-only: a standby, or one that is being moved. */
  readonly isReadOnly: RawBuilder<number>;
  /** The time at which the statement runs, by the clock of the database, in milliseconds. */
  readonly now: RawBuilder<number>;
  /** Locks the selected rows against changes until the transaction ends. */
  lockForUpdate<DB, TB extends keyof DB, O>(
    select: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /**
   * Whether a column has one of the values of a JSON array (see `jsonList`): one prepared statement for
   * arrays of any length, which uses an index.
   */
  inJsonArray(
    column: string | RawBuilder<unknown>,
    jsonList: unknown,
    type: 'number' | 'text',
  ): RawBuilder<SqlBool>;
  /** The objects of a JSON array (see `jsonList`) as a table named `given` with these columns. */
  jsonRows(
    jsonList: unknown,
    columns: Readonly<Record<string, 'number' | 'text'>>,
  ): RawBuilder<unknown>;
  /** A text field of a column that holds a JSON object; null without it. */
  jsonText(column: string, field: string): RawBuilder<string | null>;
  /**
   * A column in a condition that must not choose the index. SQLite takes each equality for selective unless it has
   * statistics that say otherwise, so it may choose an index in which all rows have the same value.
   */
  unindexed<T>(column: string): RawBuilder<T>;
  /** Statements after which new rows get higher ids than copied ones. */
  resetIdSequence(table: string): Compilable[];
  /** Statements that make a table append-only: the database itself refuses to change a row. */
  makeAppendOnly(table: string): Compilable[];
  /** Statements that undo `makeAppendOnly`, for a migration that fills a new column. */
  makeChangeable(table: string): Compilable[];
  /**
   * Statements that close a gap of `makeAppendOnly`: on SQLite, `insert or replace` deletes the existing row
   * without running the triggers on delete.
   */
  forbidReplace(table: string): Compilable[];
  /** Statements that refuse rows with -1, the default of a new column, which only an earlier version leaves out. */
  refuseEarlier(table: string, column: string): Compilable[];
  isUniqueViolation(error: unknown): boolean;
  isMissingTable(error: unknown): boolean;
}

/** A column by its name, or what an index is made of. */
export function columnOf(column: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return typeof column === 'string' ? sql.ref(column) : column;
}
