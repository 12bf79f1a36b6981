import type {
  ColumnDefinitionBuilder,
  Compilable,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
  SqlBool,
} from 'kysely';
import type { Tables } from './tables.ts';

/**
 * What differs between the databases, named by need. Kysely only writes the SQL; statements run on
 * connections of our own (see database.ts), so its driver is a dummy.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgresql';
  readonly builder: Kysely<Tables>;
  /** The type of a column that numbers its rows by itself, without reusing numbers. */
  readonly idType: RawBuilder<unknown>;
  idColumn(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** A column for whole numbers up to 2^53. */
  readonly bigInteger: 'integer' | 'bigint';
  /**
   * Whether numbers given to rows become visible in their order, without gaps, because writers take
   * turns. Where they do not, what must be in order is put in order after the commit.
   */
  readonly commitsInIdOrder: boolean;
  /** Whether this process does nothing else while a statement runs: long ones are cut into short ones. */
  readonly blocksEventLoop: boolean;
  /** 1 where the database can only be read at the moment: a standby, or one that is being moved. */
  readonly isReadOnly: RawBuilder<number>;
  /** The moment at which the statement runs, by the clock of the database, in milliseconds. */
  readonly now: RawBuilder<number>;
  /** Rows read by this are not changed by others until the transaction ends. */
  lockForUpdate<DB, TB extends keyof DB, O>(
    select: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /**
   * Whether a column has one of the values of a JSON list (`jsonList` makes it): one statement for lists
   * of any length, and one that finds the rows by an index.
   */
  inJsonArray(column: string, jsonList: unknown, type: 'number' | 'text'): RawBuilder<SqlBool>;
  /** The objects of a JSON array (`jsonList` makes it) as a table named `given` with these columns. */
  jsonRows(
    jsonList: unknown,
    columns: Readonly<Record<string, 'number' | 'text'>>,
  ): RawBuilder<unknown>;
  /** Statements after which a table gives numbers above those that came with rows from elsewhere. */
  resetIdSequence(table: string): Compilable[];
  /** Statements that make a table append-only: the database itself refuses to change a row. */
  makeAppendOnly(table: string): Compilable[];
  /**
   * Statements that close a gap in that: on SQLite `insert or replace` deletes the row that is there without
   * running the triggers of a deletion.
   */
  forbidReplace(table: string): Compilable[];
  isUniqueViolation(error: unknown): boolean;
  isMissingTable(error: unknown): boolean;
}
