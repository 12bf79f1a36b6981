import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Database, Reader } from './database.ts';
import { query, type Query } from './statements/query.ts';

const ROWS_AT_ONCE = 2_000;

type Row = Record<string, unknown>;

/** The statements of one table. Keys are compared as rows, so that a copy can continue where it stopped. */
class CopiedTable {
  readonly name: string;
  readonly #key: readonly string[];
  readonly #first: Query<object, Row>;
  readonly #after: Query<Row, Row>;
  readonly #last: Query<object, Row>;
  readonly #count: Query<object, { rows: number }>;
  readonly #inserts = new Map<string, Query<{ rows: string }, never>>();

  constructor(name: string, key: readonly string[]) {
    this.name = name;
    this.#key = key;
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const descending = sql.join(key.map((column) => sql`${sql.ref(column)} desc`));
    const table = sql.table(name);
    const select = <P extends object, R>(text: (p: Row) => ReturnType<typeof sql>) =>
      query<P, R>((db, p) => ({ compile: () => text(p).compile(db) }));
    const end = sql`order by ${columns} limit ${sql.lit(ROWS_AT_ONCE)}`;
    this.#first = select(() => sql`select * from ${table} ${end}`);
    this.#after = select((p) => {
      const place = sql.join(key.map((column) => p[column]));
      return sql`select * from ${table} where (${columns}) > (${place}) ${end}`;
    });
    this.#last = select(() => sql`select ${columns} from ${table} order by ${descending} limit 1`);
    this.#count = select(() => sql`select count(*) as "rows" from ${table}`);
  }

  async count(reader: Reader): Promise<number> {
    return (await reader.first(this.#count, {}))!.rows;
  }

  last(reader: Reader): Promise<Row | undefined> {
    return reader.first(this.#last, {});
  }

  next(reader: Reader, after: Row | undefined): Promise<Row[]> {
    if (!after) return reader.all(this.#first, {});
    const place = Object.fromEntries(this.#key.map((column) => [column, after[column]]));
    return reader.all(this.#after, place);
  }

  /** Inserts all rows with one statement, which takes half the time of one per row. */
  async insert(target: Database, rows: readonly Row[]): Promise<void> {
    const insert = this.#insertOf(Object.keys(rows[0]!));
    await target.transaction(async (tx) => {
      await tx.run(insert, { rows: JSON.stringify(rows, storable) });
      if (this.#key.length === 1 && this.#key[0] === 'id') {
        for (const step of target.dialect.resetIdSequence(this.name)) {
          await tx.execute(step.compile().sql);
        }
      }
    });
  }

  /** PostgreSQL converts the values to the types of the table's columns. */
  #insertOf(names: readonly string[]): Query<{ rows: string }, never> {
    const known = this.#inserts.get(names.join());
    if (known) return known;
    const table = sql.table(this.name);
    const columns = sql.join(names.map((name) => sql.ref(name)));
    const insert = query<{ rows: string }>((db, p) => {
      const text = sql`insert into ${table} (${columns}) select ${columns}
        from json_populate_recordset(null::${table}, ${p.rows}::json)`;
      return { compile: () => text.compile(db) };
    });
    this.#inserts.set(names.join(), insert);
    return insert;
  }
}

/** These describe one database, so they are not copied into another one. */
const OWN_TABLES = new Set(['migrations', 'installation', 'leases']);

interface KeyColumn {
  name: string;
  column: string;
}

const keyColumns = query<object, KeyColumn>((db) => {
  const text = sql`select t.name, c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite%' and c.pk > 0 order by t.rowid, c.pk`;
  return { compile: () => text.compile(db) };
});

const references = query<object, { name: string; referenced: string }>((db) => {
  const text = sql`select t.name, f."table" as referenced
    from sqlite_schema t, pragma_foreign_key_list(t.name) f where t.type = 'table'`;
  return { compile: () => text.compile(db) };
});

/** The tables of a database file. A table comes after those that it references. */
async function tablesOf({ read }: Database): Promise<CopiedTable[]> {
  const columns = Map.groupBy(await read.all(keyColumns, {}), ({ name }) => name);
  const referenced = Map.groupBy(await read.all(references, {}), ({ name }) => name);
  const tables = new Map<string, CopiedTable>();
  const add = (name: string, keyed: readonly KeyColumn[], above: readonly string[]) => {
    if (tables.has(name) || above.includes(name)) return;
    for (const { referenced: other } of referenced.get(name) ?? [])
      add(other, columns.get(other)!, [...above, name]);
    const key = keyed.map(({ column }) => column);
    tables.set(name, new CopiedTable(name, key));
  };
  for (const [name, keyed] of columns) add(name, keyed, []);
  return [...tables.values()].filter(({ name }) => !OWN_TABLES.has(name));
}

/** The target of a copy holds other rows. */
export class OtherRowsError extends Error {}

/** Throws unless the target's rows are the first rows of the source, as after an interrupted copy. */
async function requireBeginning(
  table: CopiedTable,
  source: Database,
  target: Database,
): Promise<void> {
  for (let after: Row | undefined; ;) {
    const there = await table.next(target.read, after);
    if (there.length === 0) return;
    const here = await table.next(source.read, after);
    const isSame = (row: Row, at: number) => {
      const mine: unknown = JSON.parse(JSON.stringify(here[at] ?? null, storable));
      return isDeepStrictEqual({ ...row }, mine);
    };
    if (!there.every(isSame)) throw new OtherRowsError(table.name);
    after = there.at(-1)!;
  }
}

/** NUL becomes U+FFFD, as in every other text (see `send`); PostgreSQL refuses it escaped in JSON. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

export interface CopiedCount {
  table: string;
  rows: number;
  copied: number;
}

/**
 * Copies every row of a database file into a PostgreSQL database with the same schema, in batches. After an interruption the next
 * run continues after the last copied row. No process may write to either database during the copy. Throws
 * OtherRowsError, before it writes anything, when the target holds other rows.
 */
export async function copyDatabase(
  source: Database,
  target: Database,
  onProgress: (done: number, all: number, table: string) => void,
): Promise<CopiedCount[]> {
  const counted: { table: CopiedTable; rows: number }[] = [];
  for (const table of await tablesOf(source)) {
    try {
      await requireBeginning(table, source, target);
      counted.push({ table, rows: await table.count(source.read) });
    } catch (error) {
      // It belongs to an extension that the target is opened without.
      if (!target.dialect.isMissingTable(error)) throw error;
    }
  }
  const all = counted.reduce((sum, { rows }) => sum + rows, 0);
  const copies: CopiedCount[] = [];
  let done = 0;
  for (const { table, rows } of counted) {
    let after = await table.last(target.read);
    const before = after ? await table.count(target.read) : 0;
    for (let arrived = before; ;) {
      onProgress(done + arrived, all, table.name);
      const some = await table.next(source.read, after);
      if (some.length === 0) break;
      await table.insert(target, some);
      arrived += some.length;
      after = some.at(-1)!;
    }
    copies.push({ table: table.name, rows, copied: await table.count(target.read) });
    done += rows;
  }
  return copies;
}
