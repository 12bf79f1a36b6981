import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type ColumnDefinitionBuilder,
  type Compilable,
  type LimitNode,
  type RawBuilder,
} from 'kysely';
import type { Tables } from './tables.ts';

/**
 * What differs between the databases, named by need. Kysely only writes the SQL; statements run on
 * connections of our own (see database.ts), so its driver is a dummy.
 */
export interface Dialect {
  readonly builder: Kysely<Tables>;
  /** The type of a column that numbers its rows by itself, without reusing numbers. */
  readonly idType: RawBuilder<unknown>;
  idColumn(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** A column for whole numbers up to 2^53. */
  readonly bigInteger: 'integer' | 'bigint';
  /** The numbers of a JSON list, as rows for `in (…)`: one statement for lists of any length. */
  numbersOf(jsonList: unknown): RawBuilder<number>;
  /** Statements that make a table append-only: the database itself refuses to change a row. */
  refuseChanges(table: string): Compilable[];
  isUniqueViolation(error: unknown): boolean;
  isMissingTable(error: unknown): boolean;
}

/**
 * A bare parameter after `limit` is read while a statement is planned, and binding it again makes
 * SQLite plan anew with every run: 9 µs instead of 2 for the simplest statement, 60 more for a long
 * one (measured). As part of a sum it is just a value.
 */
class SteadyCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}

export const sqliteDialect: Dialect = {
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SteadyCompiler(),
    },
  }),
  idType: sql`integer`,
  idColumn: (column) => column.primaryKey().autoIncrement(),
  bigInteger: 'integer',
  numbersOf: (jsonList) => sql<number>`(select value from json_each(${jsonList}))`,
  refuseChanges: (table) =>
    ['update', 'delete'].map((change) => {
      const statement = sql`create trigger ${sql.raw(`${table}_refuses_${change}`)} before
        ${sql.raw(change)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`;
      return { compile: () => statement.compile(sqliteDialect.builder) } as Compilable;
    }),
  isUniqueViolation: (error) =>
    error instanceof Error && error.message.startsWith('UNIQUE constraint failed'),
  isMissingTable: (error) => error instanceof Error && error.message.startsWith('no such table'),
};
