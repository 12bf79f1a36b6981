import type { Compilable, Kysely } from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Dialect } from './dialect.ts';
import { query } from './statements/query.ts';
import type { Tables } from './tables.ts';
import { UnusableDatabase } from './unavailable.ts';

/** One step of the schema. Neither its name nor its statements change once it is released. */
export interface Migration {
  name: string;
  up(schema: Kysely<Tables>['schema'], dialect: Dialect): Compilable[];
  /** Changes existing rows, in the same transaction. */
  fill?(tx: Transaction): Promise<void>;
}

const findApplied = query<{ name: string }, { name: string }>((db, p) =>
  db.selectFrom('migrations').select('name').where('name', '=', p.name),
);
const listApplied = query<object, { name: string }>((db) =>
  db.selectFrom('migrations').select('name'),
);
const recordApplied = query<{ name: string; applied_at: number }>((db, p) =>
  db.insertInto('migrations').values({ name: p.name, applied_at: p.applied_at }),
);

/**
 * Applies the migrations that are missing, each in one transaction with its row in `migrations`: after an
 * interruption the next start continues with the first one that is not applied. Returns what it applied.
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  // Most starts find nothing to do; they need no write transaction.
  const known = await namesApplied(db);
  refuseUnreleased(known);
  if (migrations.every(({ name }) => known.has(name))) return [];
  const { builder, bigInteger } = db.dialect;
  const table = builder.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', bigInteger, (column) => column.notNull())
    .compile();
  // Another process may be migrating, and one step may take minutes.
  const patient = { patient: true };
  await db.transaction(async (tx) => {
    await tx.lock('migrations');
    await tx.execute(table.sql);
  }, patient);

  const applied: string[] = [];
  for (const migration of migrations) {
    if (known.has(migration.name)) continue;
    const done = await db.transaction(async (tx) => {
      await tx.lock('migrations');
      if (await tx.first(findApplied, { name: migration.name })) return false;
      for (const step of migration.up(builder.schema, db.dialect)) {
        await tx.execute(textOf(step, migration));
      }
      await migration.fill?.(tx);
      await tx.run(recordApplied, { name: migration.name, applied_at: Date.now() });
      return true;
    }, patient);
    if (done) applied.push(migration.name);
  }
  return applied;
}

/** The first migration of every version before 0.7.0. */
const UNRELEASED = '0001-leases';

/** Refuses a database of a version before 0.7.0: 0.7.0 is the first release that later ones can upgrade. */
export function refuseUnreleased(applied: ReadonlySet<string>): void {
  if (!applied.has(UNRELEASED)) return;
  throw new UnusableDatabase(
    'A version before 0.7.0 wrote this database, and its data cannot be upgraded. Continue with that version, or ' +
      'start with an empty data folder, or with an empty database if DATABASE_URL is set.',
  );
}

/** Refuses a statement that binds values: `execute` takes none, and would run it without them. */
function textOf(step: Compilable, { name }: Migration): string {
  const { sql: text, parameters } = step.compile();
  if (parameters.length > 0) {
    throw new Error(`Migration ${name} binds values; write them into the text with sql.lit().`);
  }
  return text;
}

async function namesApplied(db: Database): Promise<Set<string>> {
  try {
    return new Set((await db.read.all(listApplied, {})).map(({ name }) => name));
  } catch (error) {
    if (db.dialect.isMissingTable(error)) return new Set();
    throw error;
  }
}
