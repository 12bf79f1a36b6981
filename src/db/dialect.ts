import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type ColumnDefinitionBuilder,
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
  isUniqueViolation(error: unknown): boolean;
}

export const sqliteDialect: Dialect = {
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  idType: sql`integer`,
  idColumn: (column) => column.primaryKey().autoIncrement(),
  bigInteger: 'integer',
  isUniqueViolation: (error) =>
    error instanceof Error && error.message.startsWith('UNIQUE constraint failed'),
};
