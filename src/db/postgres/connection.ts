import { createHash } from 'node:crypto';
import pg, { type ClientBase, type ClientConfig } from 'pg';
import type { Reader } from '../database.ts';
import { BatchedReads } from '../statements/batched-reads.ts';
import type { KeyedQuery, SharedKeyedQuery } from '../statements/keyed-query.ts';
import type { CompiledStatement, Query } from '../statements/query.ts';
import { rowMaker, type RowMaker } from '../statements/row-maker.ts';
import { jsonList } from '../statements/rows-query.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { explainRefusal, isLostConnection, isOutdatedPlan } from './postgres-errors.ts';

/** The longest time that one statement may take, except in a migration. */
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * PostgreSQL ends the session of a process that stops in the middle of a transaction (SIGSTOP, swapped out,
 * network cut), because its locks block the changes of all other instances. Transactions wait for nothing but
 * their own statements, so a healthy process never gets near this; if it does, its work runs again.
 */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** Ends the session of a process that stops while PostgreSQL sends it rows. */
const UNREAD_TIMEOUT_MS = 5_000;
/** The parameter `connect_timeout` of the address, which all clients of PostgreSQL know, replaces it. */
const CONNECT_TIMEOUT_SECONDS = 10;
/** TCP keep-alive delay: detects a dead host in seconds instead of the OS default of two hours. */
const KEEP_ALIVE_AFTER_MS = 10_000;

const BOOLEAN = 16;
const INT8 = 20;
const NUMERIC = 1700;

/**
 * Values are numbers or text, as on SQLite: flags are 0 or 1, and sums fit into a double exactly. The casts
 * leave out the driver's overloads for the binary format, which no statement uses.
 */
const types: NonNullable<ClientConfig['types']> = {
  getTypeParser: ((oid: number) => {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === BOOLEAN) return (text: string) => (text === 't' ? 1 : 0);
    return pg.types.getTypeParser(oid) as (text: string) => unknown;
  }) as typeof pg.types.getTypeParser,
};

/** Options of every connection to one server. The address contains the others, such as TLS. */
export function connectionOptions(url: string): ClientConfig {
  return {
    connectionString: url,
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'tributary',
    connectionTimeoutMillis: connectTimeoutSeconds(url) * 1000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // Generic plans: with `limit $n` PostgreSQL would plan some statements again with every run (measured:
    // lists of payouts three times as fast, polls of the feed twice). Read committed, whatever the server's
    // default: a transaction that waited for a lock must see what was committed while it waited.
    options:
      '-c plan_cache_mode=force_generic_plan -c default_transaction_isolation=read\\ committed ' +
      `-c tcp_user_timeout=${UNREAD_TIMEOUT_MS}`,
    // The driver sends statements without waiting for earlier results.
    pipeline: true,
  };
}

function connectTimeoutSeconds(url: string): number {
  const given = Number(URL.parse(url)?.searchParams.get('connect_timeout'));
  return given > 0 ? given : CONNECT_TIMEOUT_SECONDS;
}

interface Statement {
  /** The name under which each connection prepares it. */
  readonly name: string;
  toRow: RowMaker | undefined;
}

/** The statements of one database, for all its connections. */
export class Statements {
  queriesRun = 0;
  readonly #known = new Map<CompiledStatement, Statement>();

  of(compiled: CompiledStatement): Statement {
    let statement = this.#known.get(compiled);
    if (!statement) {
      const name = createHash('sha256').update(compiled.sql).digest('hex').slice(0, 20);
      this.#known.set(compiled, (statement = { name, toRow: undefined }));
    }
    return statement;
  }

  /** After a migration the columns may differ. */
  forget(): void {
    this.#known.clear();
  }
}

/** The result of one statement. */
export interface QueryResult {
  rows: unknown[];
  rowCount: number | null;
}

/**
 * Sends what this tick sends on a connection with one write. Each write is a call of the operating system, which costs
 * as much as all else that the driver does for a statement.
 */
export function sendTogether(client: ClientBase): void {
  // The class of all clients has it; the types name it for one of them only.
  const { stream } = (client as pg.Client).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Runs a statement, prepared once, on one connection. */
export async function send<P extends object, R>(
  client: ClientBase,
  statements: Statements,
  query: Query<P, R>,
  params: P,
): Promise<QueryResult> {
  const compiled = query.compiledFor(postgresDialect, params);
  const statement = statements.of(compiled);
  statements.queriesRun += 1;
  sendTogether(client);
  const { rows, fields, rowCount } = await client.query({
    name: statement.name,
    text: compiled.sql,
    // The statement names only parameters that `P` declares.
    values: storable(compiled.bind(params as Record<string, unknown>)),
    rowMode: 'array',
  });
  if (rows.length > 0) {
    const toRow = (statement.toRow ??= rowMaker(fields.map((field) => field.name)));
    // Replaced in place, so that a long result needs no second array.
    for (let i = 0; i < rows.length; i++) (rows as unknown[])[i] = toRow(rows[i]!);
  }
  return { rows, rowCount };
}

/** Reads all keys with one statement. */
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

/** PostgreSQL text cannot hold NUL: it becomes U+FFFD, like a lone surrogate. */
function storable(values: unknown[]): unknown[] {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value === 'string' && value.includes('\0')) {
      values[i] = value.replaceAll('\0', '\uFFFD');
    }
  }
  return values;
}

/** A connection that many reads share. It is opened when needed, and again after it was lost. */
class ReadConnection {
  readonly #connect: () => Promise<pg.Client>;
  #client: Promise<pg.Client> | undefined;
  waiting = 0;

  constructor(connect: () => Promise<pg.Client>) {
    this.#connect = connect;
  }

  async send<P extends object, R>(
    statements: Statements,
    query: Query<P, R>,
    params: P,
  ): Promise<QueryResult> {
    this.waiting += 1;
    const used = this.#open();
    try {
      return await send(await used, statements, query, params);
    } catch (error) {
      // A read changes nothing, so it can run again.
      const isOutdated = isOutdatedPlan(error);
      if (!isOutdated && !isLostConnection(error)) throw explainRefusal(error);
      if (isOutdated) statements.forget();
      // Another read may have closed it already, and may have opened a new one.
      if (this.#client === used) void this.close();
      return await this.#open()
        .then((client) => send(client, statements, query, params))
        .catch((again: unknown) => {
          throw explainRefusal(again);
        });
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
    const forget = () => {
      if (this.#client === opening) this.#client = undefined;
    };
    const opening = this.#connect().then((client) => client.on('error', forget).on('end', forget));
    opening.catch(forget);
    return (this.#client = opening);
  }
}

/** How many connections there are for what. */
interface ConnectionCounts {
  readonly short: number;
  readonly long: number;
}

/**
 * Reads share a few connections; each uses the one with the fewest reads waiting. A connection answers in the order of
 * its statements, so the long ones have connections of their own.
 */
export class ReadConnections implements Reader {
  readonly #short: readonly ReadConnection[];
  readonly #long: readonly ReadConnection[];
  readonly #statements: Statements;
  readonly #batched = new BatchedReads(this);

  /** Each connects with its first statement. */
  constructor(
    connect: () => Promise<pg.Client>,
    { short, long }: ConnectionCounts,
    statements: Statements,
  ) {
    const connections = (length: number) =>
      Array.from({ length }, () => new ReadConnection(connect));
    this.#short = connections(short);
    this.#long = long === 0 ? this.#short : connections(long);
    this.#statements = statements;
  }

  // Rows have the type that their statement declares; the driver does not know it.
  async all<P extends object, R>(query: Query<P, R>, params: P): Promise<R[]> {
    return (await this.#send(query, params)).rows as R[];
  }

  allByKeys<K extends string | number, R>(
    query: KeyedQuery<K, R>,
    keys: readonly K[],
  ): Promise<R[]> {
    return allByKeys(this, query, keys);
  }

  async first<P extends object, R>(query: Query<P, R>, params: P): Promise<R | undefined> {
    return (await this.#send(query, params)).rows[0] as R | undefined;
  }

  allByKey<K extends string | number, R>(query: SharedKeyedQuery<K, R>, key: K): Promise<R[]> {
    return this.#batched.all(query, key);
  }

  async firstByKey<K extends string | number, R>(
    query: SharedKeyedQuery<K, R>,
    key: K,
  ): Promise<R | undefined> {
    return (await this.#batched.all(query, key))[0];
  }

  async close(): Promise<void> {
    await Promise.all([...this.#short, ...this.#long].map((connection) => connection.close()));
  }

  #send<P extends object, R>(query: Query<P, R>, params: P): Promise<QueryResult> {
    const connections = query.isLongWith(params) ? this.#long : this.#short;
    const idlest = connections.reduce((best, next) => (next.waiting < best.waiting ? next : best));
    return idlest.send(this.#statements, query, params);
  }
}
