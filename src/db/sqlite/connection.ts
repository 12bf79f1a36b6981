import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { KeyedQuery } from '../statements/keyed-query.ts';
import type { CompiledStatement, Query } from '../statements/query.ts';
import { rowMaker, type RowMaker } from '../statements/row-maker.ts';
import {
  jsonList,
  SEVERAL_ROWS,
  type RowsQuery,
  type SeveralRows,
} from '../statements/rows-query.ts';
import { OPEN_WAIT_MS } from './open-wait.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/** Older versions can corrupt a database whose write-ahead log is reset by two connections concurrently. */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;

/** From this many keys on, one statement with a JSON array is faster than one per key (measured). */
const LIST_FROM = 8;

const LOG_BYTES_LEFT = 16 * 1024 * 1024;

/** What the connection that writes may keep of the database in memory. */
const CACHE_KIB = 16 * 1024;

/** One connection, on which every statement is prepared once. */
export class SqliteConnection {
  readonly raw: DatabaseSync;
  readonly #statements = new Map<CompiledStatement, PreparedStatement>();
  queriesRun = 0;

  constructor(file: string, options: { readOnly: boolean }) {
    this.raw = new DatabaseSync(file, { readOnly: options.readOnly, timeout: 0 });
    refuseOldVersion(this.raw);
    if (!options.readOnly) {
      this.raw.exec(`pragma busy_timeout = ${OPEN_WAIT_MS}`);
      this.raw.exec('pragma journal_mode = wal');
      // NORMAL loses acknowledged commits on power failure; FULL does not (measured).
      this.raw.exec('pragma synchronous = full');
      // Deleted and replaced text is overwritten with zeros, also on pages that become free; `fast` leaves those. The CPU
      // time of an order is the same (measured).
      this.raw.exec('pragma secure_delete = on');
      // SQLite truncates the log to this size when it writes from the beginning again; without a limit it never does.
      this.raw.exec(`pragma journal_size_limit = ${LOG_BYTES_LEFT}`);
      // From now on the group commit polls for the lock, because SQLite's own wait would block the event loop.
      this.raw.exec('pragma busy_timeout = 0');
      // A batch of 1,000 orders touches more pages than the default of 2 MB holds: SQLite would write them to the log, read
      // them again and write them again, which costs 7 % of the CPU time of an order (measured).
      this.raw.exec(`pragma cache_size = -${CACHE_KIB}`);
    }
    this.raw.exec(
      'pragma foreign_keys = on; pragma trusted_schema = off; pragma temp_store = memory',
    );
  }

  // With `setReturnArrays` the driver returns arrays, which its types do not say. A row has the type that its
  // query declares.
  all<P extends object, R>(query: Query<P, R>, params: P): R[] {
    const compiled = query.compiledFor(sqliteDialect, params);
    const { statement, toRow } = this.#prepare(compiled);
    const rows = statement.all(...valuesOf(compiled, params)) as unknown[];
    for (let i = 0; i < rows.length; i++) rows[i] = toRow(rows[i] as unknown[]);
    return rows as R[];
  }

  first<P extends object, R>(query: Query<P, R>, params: P): R | undefined {
    const compiled = query.compiledFor(sqliteDialect, params);
    const { statement, toRow } = this.#prepare(compiled);
    const row = statement.get(...valuesOf(compiled, params)) as unknown[] | undefined;
    return row === undefined ? undefined : (toRow(row) as R);
  }

  allByKeys<K extends string | number, R>(
    { one, list }: KeyedQuery<K, R>,
    keys: readonly K[],
  ): R[] {
    if (keys.length >= LIST_FROM) return this.all(list, { keys: jsonList(keys) });
    return keys.flatMap((key) => this.all(one, { key }));
  }

  run<P extends object>(query: Query<P, unknown>, params: P): number {
    const compiled = query.compiledFor(sqliteDialect, params);
    const { statement } = this.#prepare(compiled);
    return Number(statement.run(...valuesOf(compiled, params)).changes);
  }

  runMany<R extends object>(query: RowsQuery<R>, rows: readonly R[]): void {
    const [first] = rows;
    if (!first) return;
    const { several } = query.statementsFor(first);
    const together = several ? rows.length - (rows.length % SEVERAL_ROWS) : 0;
    if (several) this.#runTogether(several, rows.slice(0, together));
    this.updateMany(query, rows.slice(together));
  }

  #runTogether({ query, names }: SeveralRows, rows: readonly object[]): void {
    for (let i = 0; i < rows.length; i += SEVERAL_ROWS) {
      const values = valuesOfRows(names, rows, i);
      const { statement } = this.#prepare(query.compiledFor(sqliteDialect, values));
      // Values are bound by position, because looking up those of 16 rows by name costs more than inserting a row.
      statement.run(...values);
      this.queriesRun += SEVERAL_ROWS - 1;
    }
  }

  /** Returns for each of the rows whether it changed anything. */
  updateMany<R extends object>(query: RowsQuery<R>, rows: readonly R[]): boolean[] {
    const [first] = rows;
    if (!first) return [];
    const compiled = query.statementsFor(first).one.compiledFor(sqliteDialect, first);
    const { statement } = this.#prepare(compiled);
    this.queriesRun += rows.length - 1;
    return rows.map((row) => Number(statement.run(...valuesOf(compiled, row)).changes) > 0);
  }

  close(): void {
    this.#statements.clear();
    if (this.raw.isOpen) this.raw.close();
  }

  #prepare(compiled: CompiledStatement): PreparedStatement {
    this.queriesRun += 1;
    return this.#statements.get(compiled) ?? this.#prepareNew(compiled);
  }

  #prepareNew(compiled: CompiledStatement): PreparedStatement {
    const statement = this.raw.prepare(compiled.sql);
    statement.setReturnArrays(true);
    const toRow = rowMaker(statement.columns().map((column) => column.name));
    const prepared = { statement, toRow };
    this.#statements.set(compiled, prepared);
    return prepared;
  }
}

// The values of a query are text, numbers and null, which its type does not say.
export function valuesOf(compiled: CompiledStatement, params: object): SQLInputValue[] {
  return compiled.bind(params as Record<string, unknown>) as SQLInputValue[];
}

/** The values of `SEVERAL_ROWS` rows, row by row. */
function valuesOfRows(
  names: readonly string[],
  rows: readonly object[],
  from: number,
): SQLInputValue[] {
  const values: SQLInputValue[] = [];
  for (let i = from; i < from + SEVERAL_ROWS; i++) {
    // `names` are columns of the rows' type.
    const row = rows[i] as Record<string, SQLInputValue>;
    for (const name of names) values.push(row[name]!);
  }
  return values;
}

interface PreparedStatement {
  statement: StatementSync;
  toRow: RowMaker;
}

function refuseOldVersion(raw: DatabaseSync): void {
  // The statement returns one row with this column.
  const row = raw.prepare('select sqlite_version() as version').get() as { version: string };
  const parts = row.version.split('.').map(Number);
  for (const [index, least] of SQLITE_VERSION_MIN.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new Error(
        `This Node brings SQLite ${row.version}, which can corrupt its log. ` +
          `At least ${SQLITE_VERSION_MIN.join('.')} is needed: update Node.`,
      );
    }
  }
}
