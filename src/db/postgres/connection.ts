import { createHash } from 'node:crypto';
import pg, { type ClientBase, type ClientConfig } from 'pg';
import type { Reader } from '../database.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { KeyedQuery, RowOfKey } from '../statements/keyed-query.ts';
import type { Compiled, Query } from '../statements/query.ts';
import { jsonList } from '../statements/rows-query.ts';
import { BatchedReads } from '../statements/batched-reads.ts';

/** Nobody waits longer for one statement; a migration may. */
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * The server ends the session of a process that stands still in the middle of a transaction (stopped, swapped
 * out, cut off), because its locks hold up the changes of all other instances. Transactions wait for nothing but
 * their own statements, so a process that is well comes nowhere near this; if it does, the work runs again.
 */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** The same for a process that stands still while the server sends it rows. */
const UNREAD_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** A server whose machine is gone says nothing: the system asks for it then, and not after two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

const BOOLEAN = 16;
const INT8 = 20;
const NUMERIC = 1700;

/** Everything is a number or text, as on the other database: flags are 0 or 1, sums are safe. */
const types: NonNullable<ClientConfig['types']> = {
  getTypeParser: ((oid: number) => {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === BOOLEAN) return (text: string) => (text === 't' ? 1 : 0);
    return pg.types.getTypeParser(oid) as (text: string) => unknown;
  }) as typeof pg.types.getTypeParser,
};

/** How every connection is made. TLS and the rest are as the address says. */
export function connectionOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'tributary',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // Which statement it is tells all there is to know: with `limit $n` the server would otherwise plan
    // some anew with every run (measured: lists of payouts three times as fast, polls of the feed twice).
    // And whoever waited for a lock must see what was done meanwhile, whatever is usual on the server.
    options:
      '-c plan_cache_mode=force_generic_plan -c default_transaction_isolation=read\\ committed ' +
      `-c tcp_user_timeout=${UNREAD_TIMEOUT_MS}`,
    // Statements go out without waiting for the answers to those before.
    pipeline: true,
  };
}

interface Statement {
  /** Prepared under this name once a connection. */
  readonly name: string;
  toRow: ((values: unknown[]) => object) | undefined;
}

/** What is known of the statements of one database, over all its connections. */
export class Statements {
  queriesRun = 0;
  readonly #known = new Map<Compiled, Statement>();

  of(compiled: Compiled): Statement {
    let statement = this.#known.get(compiled);
    if (!statement) {
      const name = createHash('sha256').update(compiled.sql).digest('hex').slice(0, 20);
      this.#known.set(compiled, (statement = { name, toRow: undefined }));
    }
    return statement;
  }

  /** After a migration: the columns may be others. */
  forget(): void {
    this.#known.clear();
  }
}

export interface Sent {
  rows: unknown[];
  rowCount: number | null;
}

/** Runs a statement, prepared once, on one connection. */
export async function send<P extends object, R>(
  client: ClientBase,
  statements: Statements,
  query: Query<P, R>,
  params: P,
): Promise<Sent> {
  const compiled = query.compiledFor(postgresDialect, params);
  const statement = statements.of(compiled);
  statements.queriesRun += 1;
  const { rows, fields, rowCount } = await client.query({
    name: statement.name,
    text: compiled.sql,
    values: storable(compiled.bind(params as Record<string, unknown>)),
    rowMode: 'array',
  });
  if (rows.length > 0) {
    const toRow = (statement.toRow ??= rowMaker(fields.map((field) => field.name)));
    for (let i = 0; i < rows.length; i++) (rows as unknown[])[i] = toRow(rows[i]!);
  }
  return { rows, rowCount };
}

/** All keys go out in one statement. */
export async function allByKeys<K extends string | number, R>(
  reader: Pick<Reader, 'all'>,
  { one, list }: KeyedQuery<K, R>,
  keys: readonly K[],
): Promise<R[]> {
  const [first] = keys;
  if (first === undefined) return [];
  if (keys.length === 1) return reader.all(one, { key: first });
  return reader.all(list, { keys: jsonList(keys) });
}

/** Text here cannot hold the character 0: what stands in for broken characters stands in for it too. */
function storable(values: unknown[]): unknown[] {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === 'string' && value.includes('\0')) {
      values[i] = value.replaceAll('\0', '\uFFFD');
    }
  }
  return values;
}

/** Rows arrive as lists and become objects here, by a function written for their columns. */
function rowMaker(names: string[]): (values: unknown[]) => object {
  const fields = names.map((name, i) => `${JSON.stringify(name)}:v[${i}]`);
  // The names are those of columns that this program declares, quoted by JSON.stringify.
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function('v', `return {${fields.join()}}`) as (values: unknown[]) => object;
}

/** A statement prepared before a migration of another process, whose columns are others now. */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '0A000' && message?.includes('cached plan') === true;
}

const ENDED_WHILE_IDLE = '25P03'; // idle_in_transaction_session_timeout

const LOST = new Set<unknown>([
  'EPIPE',
  'ECONNRESET',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '08003', // connection_does_not_exist
  '08006', // connection_failure
  ENDED_WHILE_IDLE,
]);

/** The connection ended before the answer: by the server, by somebody in between, or by the network. */
export function isLostConnection(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined) return LOST.has(code);
  return /^Connection terminated|not queryable$/.test(message ?? '');
}

/** The connection was lost before the statement was run: the driver did not send it, or the server had hung up. */
export function isLostBefore(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    code === ENDED_WHILE_IDLE || (code === undefined && message?.endsWith('not queryable') === true)
  );
}

/** One connection that many readers use at once, made when it is needed and made again when it is lost. */
class ReadConnection {
  readonly #options: ClientConfig;
  #client: Promise<pg.Client> | undefined;
  waiting = 0;

  constructor(options: ClientConfig) {
    this.#options = options;
  }

  async send<P extends object, R>(
    statements: Statements,
    query: Query<P, R>,
    params: P,
  ): Promise<Sent> {
    this.waiting += 1;
    const used = this.#open();
    try {
      return await send(await used, statements, query, params);
    } catch (error) {
      // Reading once more does no harm.
      const isOutdated = isOutdatedPlan(error);
      if (!isOutdated && !isLostConnection(error)) throw error;
      if (isOutdated) statements.forget();
      // Unless somebody else has left it already.
      if (this.#client === used) void this.close();
      return await send(await this.#open(), statements, query, params);
    } finally {
      this.waiting -= 1;
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.then((open) => open.end()).catch(() => {});
  }

  #open(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client(this.#options);
    const opening = client.connect().then(() => client);
    const forget = () => {
      if (this.#client === opening) this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    opening.catch(forget);
    return (this.#client = opening);
  }
}

/** Readers share a few connections: each takes the one with the fewest waiting. */
export class ReadConnections implements Reader {
  readonly #connections: ReadConnection[];
  readonly #statements: Statements;
  readonly #shared = new BatchedReads(this);

  constructor(options: ClientConfig, count: number, statements: Statements) {
    this.#connections = Array.from({ length: count }, () => new ReadConnection(options));
    this.#statements = statements;
  }

  async all<P extends object, R>(query: Query<P, R>, params: P): Promise<R[]> {
    return (await this.#idlest().send(this.#statements, query, params)).rows as R[];
  }

  allByKeys<K extends string | number, R>(
    query: KeyedQuery<K, R>,
    keys: readonly K[],
  ): Promise<R[]> {
    return allByKeys(this, query, keys);
  }

  async first<P extends object, R>(query: Query<P, R>, params: P): Promise<R | undefined> {
    return (await this.#idlest().send(this.#statements, query, params)).rows[0] as R | undefined;
  }

  allByKey<K extends string | number, R>(query: RowOfKey<K, R>, key: K): Promise<R[]> {
    return this.#shared.all(query, key);
  }

  async firstByKey<K extends string | number, R>(
    query: RowOfKey<K, R>,
    key: K,
  ): Promise<R | undefined> {
    return (await this.#shared.all(query, key))[0];
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  #idlest(): ReadConnection {
    return this.#connections.reduce((best, next) => (next.waiting < best.waiting ? next : best));
  }
}
