import Type from 'typebox';
import { query } from '../../db/statements/query.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';

/** With less than this left, the next writes fill the disk: the write-ahead log alone grows to 4 MB. */
const DISK_LEFT_MIN_BYTES = 1024 * 1024;

/** Transactions of a PostgreSQL standby are read-only too. */
const findMode = query<object, { read_only: number }>((db, _p, _given, dialect) =>
  db.selectNoFrom(dialect.isReadOnly.as('read_only')),
);

const appliedMigrations = query<object, { name: string }>((db) =>
  db.selectFrom('migrations').select('name'),
);

type Check = 'ok' | 'failing';

export const getReadiness = operation({
  method: 'GET',
  namespace: 'site',
  path: '/readyz',
  summary: 'Check that the service can handle requests',
  description:
    '`database`: the database responds. `write`: changes can be stored. `disk`: the disk of a database ' +
    'file has space left. `migrations`: the schema matches this version. `worker`: background jobs ' +
    'run. `serving`: present during shutdown. The log contains the reason for a failing check.',
  access: 'public',
  scope: null,
  unlimited: true,
  response: Type.Object({
    status: StringEnum(['ready', 'not ready']),
    checks: Type.Record(Type.String(), StringEnum(['ok', 'failing'])),
  }),
  async handle({ site }) {
    const checks = await readinessChecks(site);
    const ready = Object.values(checks).every((check) => check === 'ok');
    return new HttpResponse(
      { status: ready ? ('ready' as const) : ('not ready' as const), checks },
      { status: ready ? 200 : 503 },
    );
  },
});

export async function readinessChecks(site: Site): Promise<Record<string, Check>> {
  const migrations = await migrationsApplied(site);
  return {
    database: migrations === undefined ? 'failing' : 'ok',
    write: migrations === undefined ? 'failing' : await checkWrite(site),
    ...checkDisk(site),
    migrations: migrations ? 'ok' : 'failing',
    worker: site.worker.isAlive() ? 'ok' : 'failing',
    // Tells a load balancer to stop sending requests.
    ...(site.isStopping && { serving: 'failing' }),
  };
}

/** Undefined if the database does not respond. */
async function migrationsApplied(site: Site): Promise<boolean | undefined> {
  const log = limitedLogOf(site);
  try {
    const rows = await site.database.read.all(appliedMigrations, {});
    log.recovered('readiness: database', {}, 'the database can be used again');
    const applied = new Set(rows.map((row) => row.name));
    return site.registry.modules
      .flatMap((module) => module.migrations ?? [])
      .every((migration) => applied.has(migration.name));
  } catch (error) {
    log.error('readiness: database', { err: error }, 'the database cannot be used');
    return undefined;
  }
}

async function checkWrite(site: Site): Promise<Check> {
  const { database } = site;
  const log = limitedLogOf(site);
  try {
    const error = database.error();
    if (error !== undefined) throw new Error(error);
    const mode = await database.read.first(findMode, {});
    if (mode?.read_only === 1) throw new Error('The database can only be read.');
    await database.proveWritable();
    log.recovered('readiness: write', {}, 'changes can be stored again');
    return 'ok';
  } catch (error) {
    log.error('readiness: write', { err: error }, 'changes cannot be stored');
    return 'failing';
  }
}

/** Checks SQLite only: the disk of PostgreSQL belongs to its server. */
function checkDisk(site: Site): { disk?: Check } {
  const bytes = site.database.diskLeft();
  if (bytes === undefined) return {};
  const log = limitedLogOf(site);
  if (bytes >= DISK_LEFT_MIN_BYTES) {
    log.recovered('readiness: disk', {}, 'the disk of the database has space again');
    return { disk: 'ok' };
  }
  log.error('readiness: disk', { bytes_left: bytes }, 'the disk of the database is full');
  return { disk: 'failing' };
}
