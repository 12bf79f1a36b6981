import type { Compilable, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database, Transaction } from './database.ts';
import type { Dialect } from './dialect.ts';
import { query } from './statements/query.ts';
import type { Tables } from './tables.ts';

/** One step of the schema. A name, once released, never changes, nor does what it does. */
export interface Migration {
  name: string;
  up(schema: Kysely<Tables>['schema'], dialect: Dialect): Compilable[];
  /** What rows that are there already need besides, in the same transaction. */
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
 * Applies what is missing, each step with its record in one transaction: interrupted anywhere,
 * the next start goes on where this one stopped. Returns the names applied now.
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  // Most starts find nothing to do, and then wait for no other process that writes.
  const known = await namesApplied(db);
  if (migrations.every(({ name }) => known.has(name))) return [];
  const { builder, bigInteger } = db.dialect;
  const table = builder.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', bigInteger, (column) => column.notNull())
    .modifyEnd(sql``)
    .compile();
  // Several processes may start at once, and a step may take minutes.
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
        await tx.execute(step.compile().sql);
      }
      await migration.fill?.(tx);
      await tx.run(recordApplied, { name: migration.name, applied_at: Date.now() });
      return true;
    }, patient);
    if (done) applied.push(migration.name);
  }
  return applied;
}

async function namesApplied(db: Database): Promise<Set<string>> {
  try {
    return new Set((await db.read.all(listApplied, {})).map(({ name }) => name));
  } catch (error) {
    if (db.dialect.isMissingTable(error)) return new Set();
    throw error;
  }
}
