import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { OpenWork } from '../../shared/open-work.ts';
import { addressesOf } from '../database-address.ts';
import type { Database, Reader } from '../database.ts';
import { BatchedWork } from '../statements/batched-work.ts';
import { query } from '../statements/query.ts';
import { WriteProbe } from '../write-probe.ts';
import { IDLE_IN_TRANSACTION_TIMEOUT_MS, ReadConnections, Statements } from './connection.ts';
import { detailsOf } from './error-details.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { Servers } from './servers.ts';
import { PostgresTransactions } from './transaction.ts';
import { watchChannel } from './watch-changes.ts';

/** A few are enough: a waiting statement costs nothing, and a connection costs the server memory. */
const READ_CONNECTIONS = { short: 3, long: 2 };
const WRITE_CONNECTIONS_MAX = 8;
const VERSION_MIN = 14;
const CHANNEL = 'tributary_changes';

const readServerSettings = `select current_setting('server_version_num') as version,
  pg_is_in_recovery()::text as standby,
  current_setting('default_transaction_read_only') as "readOnly",
  current_setting('server_encoding') as encoding,
  (select setting from pg_settings
    where name = 'idle_in_transaction_session_timeout') as "idleLimitMs",
  coalesce(has_schema_privilege(current_schema(), 'create'), false)::text as "mayCreate"`;

const databaseSize = query<object, { bytes: number }>((db) =>
  db.selectNoFrom(sql<number>`pg_database_size(current_database())`.as('bytes')),
);

/** Opens a PostgreSQL database. The message of an error completes "The database … cannot be used: …". */
export async function openPostgres(url: string): Promise<Database> {
  const servers = new Servers(url);
  const { idleLimitMs } = await refuseUnusable(servers);
  const statements = new Statements();
  const pool = servers.pool(WRITE_CONNECTIONS_MAX);
  const read = new ReadConnections(() => servers.connect(), READ_CONNECTIONS, statements);
  const notifier = { channel: CHANNEL, sender: randomUUID() };
  const requests = new OpenWork();
  const transactions = new PostgresTransactions(pool, statements, notifier, {
    requests,
    // A pooler such as PgBouncer may not pass on the startup parameters of a connection.
    setsIdleLimit: Number(idleLimitMs) !== IDLE_IN_TRANSACTION_TIMEOUT_MS,
  });
  const batched = new BatchedWork((work) => transactions.transaction(work));
  const probe = new WriteProbe((work) => transactions.transaction(work));
  let watch: ReturnType<typeof watchChannel> | undefined;

  return {
    dialect: postgresDialect,
    place: { file: '', url },
    read,
    requests,
    snapshot: (work) => transactions.snapshot(work),
    transaction: (work, how) => transactions.transaction(work, how),
    batchedTransaction: (work, item) => batched.run(work, item),
    // PostgreSQL reports an error as the error of each statement.
    error: () => undefined,
    // It gathers its own.
    async usePlannerStatistics() {},
    updateStatistics: () =>
      transactions.transaction((tx) => tx.execute('analyze'), { patient: true }),
    proveWritable: () => probe.prove(),
    async sizes() {
      const { bytes } = (await read.first(databaseSize, {}))!;
      return { databaseBytes: bytes, logBytes: undefined };
    },
    diskLeft: () => undefined,
    // Vacuum removes old rows.
    emptyLog() {},
    queriesRun: () => statements.queriesRun,
    onForeignChange(action) {
      watch = watchChannel(servers, notifier, action);
      return watch.begun;
    },
    noticeForeignChange: () => false,
    // LISTEN receives nothing through a pooler that assigns connections per transaction.
    onOwnChange: (action) => transactions.onNotified(action),
    backup: () =>
      Promise.reject(
        new Error(
          'This database is on a PostgreSQL server: back it up with pg_dump, and keep secret.key ' +
            'of the data folder with it',
        ),
      ),
    async close() {
      await watch?.stop();
      await pool.end();
      await read.close();
    },
  };
}

/** Opens one connection to a database that is in use, to read in another thread. */
export function openPostgresReader(url: string): { read: Reader; close(): Promise<void> } {
  const servers = new Servers(url);
  const read = new ReadConnections(
    () => servers.connect(),
    { short: 1, long: 0 },
    new Statements(),
  );
  return { read, close: () => read.close() };
}

/** The database, hosts and ports for messages, without the password. */
export function placeOf(url: string): string {
  const clients = addressesOf(url).map((connectionString) => new pg.Client({ connectionString }));
  return `${clients[0]!.database} on ${clients.map(({ host, port }) => `${host}:${port}`).join()}`;
}

/** Throws the reason when this service cannot use the server, else returns the server's settings. */
async function refuseUnusable(servers: Servers): Promise<Record<string, string>> {
  const client = await servers.connect().catch((error: unknown) => {
    throw new Error(reasonOf(error), { cause: error });
  });
  try {
    const { rows } = await client.query<Record<string, string>>(readServerSettings);
    const { version, standby, readOnly, encoding, mayCreate } = rows[0]!;
    const major = Math.floor(Number(version) / 10_000);
    if (major < VERSION_MIN) {
      throw new Error(`it is PostgreSQL ${major}, and at least ${VERSION_MIN} is needed`);
    }
    if (standby === 'true') throw new Error('it is a standby, which can only be read');
    if (readOnly === 'on') throw new Error('it can only be read (default_transaction_read_only)');
    if (encoding !== 'UTF8') {
      throw new Error(`its encoding is ${encoding}; create one with UTF8, which holds every text`);
    }
    if (mayCreate === 'false') {
      throw new Error(
        'this user may not create tables there; make it the owner, or grant it create on the schema',
      );
    }
    return rows[0]!;
  } finally {
    await client.end();
  }
}

const untrusted = new Set<string | undefined>([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function reasonOf(error: unknown): string {
  const { code, message } = detailsOf(error);
  if (code === 'ECONNREFUSED') return 'no server answers there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no host has that name';
  if (code === '28P01' || code === '28000') return 'the server refuses this user or password';
  if (code === '3D000') return 'the server has no database of that name; create it first';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name';
  if (untrusted.has(code)) {
    return 'its certificate is not one that this machine trusts; sslrootcert names its authority';
  }
  // The server does not know one of our settings: plan_cache_mode came with PostgreSQL 12.
  if (code === '42704') return `it is too old: at least PostgreSQL ${VERSION_MIN} is needed`;
  if (code === '53300') return 'the server has no connection left (max_connections)';
  return message || code || 'the connection failed';
}
