import {
  sql,
  type ColumnDefinitionBuilder,
  type Compilable,
  type CreateTableBuilder,
  type Kysely,
} from 'kysely';
import type { Column, Table } from './define-table.ts';
import type { Dialect } from './dialect.ts';
import type { Migration } from './migrator.ts';
import type { Tables } from './tables.ts';

type Schema = Kysely<Tables>['schema'];
type Declared = Readonly<Record<string, Table>>;

interface Around {
  /** Statements before and after those of the tables. */
  readonly before?: Migration['up'];
  readonly after?: Migration['up'];
  readonly fill?: Migration['fill'];
}

/** The first migration of a module: it creates the tables as they are declared first. */
export function creating(name: string, tables: Declared, around: Around = {}): Migration {
  return migrationOf(name, tables, 0, around);
}

/** The migration that adds what is declared as added. */
export function adding(name: string, tables: Declared, around: Around = {}): Migration {
  return migrationOf(name, tables, 1, around);
}

function migrationOf(
  name: string,
  tables: Declared,
  step: 0 | 1,
  { before, after, fill }: Around,
): Migration {
  return {
    name,
    up: (schema, dialect) => [
      ...(before?.(schema, dialect) ?? []),
      ...Object.entries(tables).flatMap(([of, table]) =>
        statementsOf(of, table, step, schema, dialect),
      ),
      ...(after?.(schema, dialect) ?? []),
    ],
    ...(fill && { fill }),
  };
}

function statementsOf(
  name: string,
  table: Table,
  step: 0 | 1,
  schema: Schema,
  dialect: Dialect,
): Compilable[] {
  const part = table.parts[step];
  if (!part || !table.isOn(dialect)) return [];
  const { idType, idColumn, bigInteger } = dialect;
  const types = { id: idType, integer: bigInteger, short: 'integer', text: 'text' } as const;
  const columns = Object.entries(part.columns).map(([column, { facts }]): AddedColumn => {
    const build = (built: ColumnDefinitionBuilder) =>
      facts.type === 'id' ? idColumn(built) : constrained(built, facts);
    return [column, types[facts.type], build];
  });
  const isFirst = part === (table.parts[0] ?? table.parts[1]);
  const changes = isFirst
    ? [createdTable(schema.createTable(name), name, table, columns, dialect)]
    : columns.map((column) => schema.alterTable(name).addColumn(...column));
  const indexes = part.indexes.map(({ suffix, on, where, unique }) => {
    const index = schema.createIndex(`${name}_${suffix}`).on(name);
    const placed = typeof on === 'string' ? index.expression(sql.raw(on)) : index.columns([...on]);
    const narrowed = where === undefined ? placed : placed.where(sql.raw<boolean>(where));
    return unique ? narrowed.unique() : narrowed;
  });
  return [...changes, ...indexes];
}

type AddedColumn = Parameters<CreateTableBuilder<string>['addColumn']>;

function createdTable(
  begun: CreateTableBuilder<string>,
  name: string,
  { keyColumns, isStoredByKey }: Table,
  columns: readonly AddedColumn[],
  dialect: Dialect,
): Compilable {
  let built: CreateTableBuilder<string, string> = begun;
  for (const column of columns) built = built.addColumn(...column);
  if (keyColumns.length > 0) {
    built = built.addPrimaryKeyConstraint(`${name}_key`, [...keyColumns]);
  }
  return isStoredByKey ? dialect.storedByKey(built) : built;
}

function constrained(
  column: ColumnDefinitionBuilder,
  facts: Column<unknown>['facts'],
): ColumnDefinitionBuilder {
  let built = facts.isNullable || facts.isKey ? column : column.notNull();
  if (facts.isKey) built = built.primaryKey();
  if (facts.isUnique) built = built.unique();
  if (facts.default !== undefined) built = built.defaultTo(sql.lit(facts.default));
  if (facts.references) built = built.references(facts.references);
  if (facts.onDelete) built = built.onDelete(facts.onDelete);
  return facts.check ? built.check(sql.raw(facts.check)) : built;
}
