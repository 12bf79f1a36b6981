import Type from 'typebox';
import { query } from '../../db/query.ts';
import { Answer, operation } from '../../kernel/operation.ts';
import { StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';

/** A standby's transactions are read-only too. */
const findMode = query<object, { read_only: number }>((db, _p, _given, dialect) =>
  db.selectNoFrom(dialect.isReadOnly.as('read_only')),
);

const appliedMigrations = query<object, { name: string }>((db) =>
  db.selectFrom('migrations').select('name'),
);

export const getReadiness = operation({
  method: 'GET',
  namespace: 'site',
  path: '/readyz',
  summary: 'Can the service do its work: database, migrations, background jobs',
  access: 'public',
  scope: null,
  unlimited: true,
  response: Type.Object({
    status: StringEnum(['ready', 'not ready']),
    checks: Type.Record(Type.String(), StringEnum(['ok', 'failing'])),
  }),
  async handle({ site }) {
    const migrations = await migrationsApplied(site);
    const checks = {
      database: migrations === undefined ? 'failing' : 'ok',
      migrations: migrations ? 'ok' : 'failing',
      worker: site.worker.isAlive() ? 'ok' : 'failing',
      // For a load balancer, which must not send anybody any more.
      ...(site.isStopping && { serving: 'failing' }),
    };
    const ready = Object.values(checks).every((check) => check === 'ok');
    return new Answer(
      { status: ready ? 'ready' : 'not ready', checks },
      { status: ready ? 200 : 503 },
    );
  },
});

/** Undefined when the database does not answer, or takes no changes. */
async function migrationsApplied(site: Site): Promise<boolean | undefined> {
  try {
    const { read } = site.database;
    const fault = site.database.fault();
    if (fault !== undefined) throw new Error(fault);
    if ((await read.first(findMode, {}))?.read_only === 1) throw new Error('It can only be read');
    const rows = await read.all(appliedMigrations, {});
    const applied = new Set(rows.map((row) => row.name));
    return site.registry.modules
      .flatMap((module) => module.migrations ?? [])
      .every((migration) => applied.has(migration.name));
  } catch (error) {
    site.log.error({ err: error }, 'the database cannot be used');
    return undefined;
  }
}
