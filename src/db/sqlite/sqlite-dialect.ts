import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type LimitNode,
  type SqlBool,
} from 'kysely';
import { columnOf, type Dialect } from '../dialect.ts';
import type { Tables } from '../tables.ts';

/**
 * SQLite reads a bare parameter after `limit` while it plans a statement, and binding it again makes it plan
 * again with every run: 9 µs instead of 2 for the simplest statement, 60 more for a long one (measured). As
 * part of a sum it is just a value.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}

/** Read in the log of the earlier version. */
const REFUSES_EARLIER = 'A later version has upgraded this database. Stop this one.';

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new StablePlanCompiler(),
    },
  }),
  idType: sql`integer`,
  idColumn: (column) => column.primaryKey().autoIncrement(),
  bigInteger: 'integer',
  storedByKey: (table) => table.modifyEnd(sql`without rowid`),
  commitsInIdOrder: true,
  blocksEventLoop: true,
  isReadOnly: sql<number>`0`,
  now: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  lockForUpdate: (select) => select,
  inJsonArray: (column, jsonList) =>
    sql<SqlBool>`${columnOf(column)} in (select value from json_each(${jsonList}))`,
  jsonRows: (jsonList, columns) => {
    const fields = Object.keys(columns).map(
      (name) => sql`json_extract(value, ${sql.lit(`$.${name}`)}) as ${sql.ref(name)}`,
    );
    return sql`(select ${sql.join(fields)} from json_each(${jsonList})) as given`;
  },
  jsonText: (column, field) =>
    sql<string | null>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${field}`)})`,
  unindexed: (column) => sql`+${sql.ref(column)}`,
  resetIdSequence: () => [],
  makeAppendOnly: (table) =>
    ['update', 'delete'].map((change) => {
      const statement = sql`create trigger ${sql.raw(`${table}_refuses_${change}`)} before
        ${sql.raw(change)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`;
      return { compile: () => statement.compile(sqliteDialect.builder) };
    }),
  makeChangeable: (table) =>
    ['update', 'delete'].map((change) => {
      const statement = sql`drop trigger ${sql.raw(`${table}_refuses_${change}`)}`;
      return { compile: () => statement.compile(sqliteDialect.builder) };
    }),
  forbidReplace: (table) => {
    const statement = sql`create trigger ${sql.raw(`${table}_refuses_replace`)} before insert on ${sql.table(table)}
      when exists (select 1 from ${sql.table(table)} where id = new.id)
      begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`;
    return [{ compile: () => statement.compile(sqliteDialect.builder) }];
  },
  refuseEarlier: (table, column) => {
    const statement = sql`create trigger ${sql.raw(`${table}_refuses_earlier`)} before insert on ${sql.table(table)}
      when new.${sql.ref(column)} = -1
      begin select raise(abort, ${sql.lit(REFUSES_EARLIER)}); end`;
    return [{ compile: () => statement.compile(sqliteDialect.builder) }];
  },
  isUniqueViolation: (error) =>
    error instanceof Error && error.message.startsWith('UNIQUE constraint failed'),
  isMissingTable: (error) => error instanceof Error && error.message.startsWith('no such table'),
};
