import type { Generated } from 'kysely';
import type { Dialect } from './dialect.ts';

interface ColumnFacts {
  /** `integer`: a whole number up to 2^53. `short`: up to 2^31. `id`: it numbers rows by itself, and reuses no number. */
  readonly type: 'id' | 'integer' | 'short' | 'text';
  readonly isKey?: true;
  readonly isNullable?: true;
  readonly isUnique?: true;
  readonly default?: string | number;
  /** `table.column`. */
  readonly references?: string;
  readonly onDelete?: 'cascade' | 'set null';
  /** A condition in SQL. */
  readonly check?: string;
}

/** A column of a table. `C` is what statements are typed with. */
export class Column<C> {
  /** Never set. It ties the type to the column. */
  declare readonly type: C;
  readonly facts: ColumnFacts;

  constructor(facts: ColumnFacts) {
    this.facts = facts;
  }

  /** The primary key of the table. */
  key(): Column<C> {
    return new Column({ ...this.facts, isKey: true });
  }

  orNull(): Column<C | null> {
    return new Column({ ...this.facts, isNullable: true });
  }

  unique(): Column<C> {
    return new Column({ ...this.facts, isUnique: true });
  }

  default(value: string | number): Column<Generated<C>> {
    return new Column({ ...this.facts, default: value });
  }

  references(column: `${string}.${string}`, onDelete?: 'cascade' | 'set null'): Column<C> {
    return new Column({ ...this.facts, references: column, ...(onDelete && { onDelete }) });
  }

  check(condition: string): Column<C> {
    return new Column({ ...this.facts, check: condition });
  }
}

export const id = () => new Column<Generated<number>>({ type: 'id' });
export const integer = <T extends number = number>() => new Column<T>({ type: 'integer' });
export const shortInteger = () => new Column<number>({ type: 'short' });
export const text = <T extends string = string>() => new Column<T>({ type: 'text' });

type Columns = Readonly<Record<string, Column<unknown>>>;

interface Index {
  /** What follows the name of the table in its own. */
  readonly suffix: string;
  /** Columns, or expressions in SQL. */
  readonly on: readonly string[] | string;
  /** In SQL: only the rows for which it holds are in the index. */
  readonly where?: string;
  readonly unique?: true;
}

/** What one migration creates of a table. */
interface TablePart {
  readonly columns: Columns;
  readonly indexes: Index[];
}

/**
 * A table, declared once: what statements are typed with, and what its migrations create. The first migration of a
 * module creates what is declared first; what a released version does not have is `added` by the second one.
 */
export class Table<C extends Columns = Columns> {
  /** Never set. It ties the columns to the table. */
  declare readonly columns: C;
  readonly parts: [first?: TablePart | undefined, added?: TablePart];
  keyColumns: readonly string[] = [];
  isStoredByKey = false;
  /** Whether a database has the table. */
  isOn = (_dialect: Dialect): boolean => true;

  constructor(...parts: Table['parts']) {
    this.parts = parts;
  }

  /** A primary key of several columns. */
  key(...columns: (keyof C & string)[]): this {
    this.keyColumns = columns;
    return this;
  }

  /** Stores the rows in the order of the key, where that is possible: a range of keys is read without lookups. */
  storedByKey(): this {
    this.isStoredByKey = true;
    return this;
  }

  /** For a table that some databases do not need. */
  onlyIf(isOn: (dialect: Dialect) => boolean): this {
    this.isOn = isOn;
    return this;
  }

  index(
    suffix: string,
    on: readonly (keyof C & string)[] | string,
    facts: Pick<Index, 'where' | 'unique'> = {},
  ): this {
    this.parts.at(-1)!.indexes.push({ suffix, on, ...facts });
    return this;
  }

  /** Columns that a later migration adds. Indexes that are declared after them are added as well. */
  added(): this;
  added<A extends Columns>(columns: A): Table<C & A>;
  added(columns: Columns = {}): Table {
    this.parts[1] = { columns, indexes: [] };
    // From here on it has these columns, too.
    return this;
  }
}

export function table<C extends Columns>(columns: C): Table<C> {
  return new Table({ columns, indexes: [] });
}

/** A table that a later migration creates. */
export function addedTable<C extends Columns>(columns: C): Table<C> {
  return new Table(undefined, { columns, indexes: [] });
}

type TypeOf<C> = C extends Column<infer T> ? T : never;

/** What statements are typed with. */
export type ColumnsOf<C extends Columns> = { [N in keyof C]: TypeOf<C[N]> };
export type TablesOf<T extends Readonly<Record<string, Table>>> = {
  [N in keyof T]: ColumnsOf<T[N]['columns']>;
};
