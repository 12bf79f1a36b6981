import type { Database } from './database.ts';
import { query } from './statements/query.ts';
import { UnusableDatabase } from './unavailable.ts';

const find = query<{ name: string }, { value: string }>((db, p) =>
  db.selectFrom('installation').select('value').where('name', '=', p.name),
);
const save = query<{ name: string; value: string }>((db, p) =>
  db
    .insertInto('installation')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.value })),
);
const remove = query<{ name: string }>((db, p) =>
  db.deleteFrom('installation').where('name', '=', p.name),
);

const name = 'moved';

/** Where the rows were copied to. */
interface Move {
  /** The database, host and port, without the password. */
  readonly place: string;
  readonly date: string;
}

/** Marks a database file whose rows were all copied to PostgreSQL, so that it is not used by mistake. */
export async function markMoved(database: Database, url: string, nowMs: number): Promise<void> {
  const { placeOf } = await import('./postgres/open-postgres.ts');
  const move: Move = { place: placeOf(url), date: new Date(nowMs).toISOString().slice(0, 10) };
  await database.transaction((tx) => tx.run(save, { name, value: JSON.stringify(move) }));
}

/** False when the file was not marked. */
export async function unmarkMoved(database: Database): Promise<boolean> {
  return (await database.transaction((tx) => tx.run(remove, { name }))) === 1;
}

/** Throws UnusableDatabase for a marked file: orders stored there would be missing on PostgreSQL, and vice versa. */
export async function refuseMoved(database: Database, file: string): Promise<void> {
  const found = await database.read.first(find, { name });
  if (!found) return;
  // `markMoved` has written it.
  const { place, date } = JSON.parse(found.value) as Move;
  throw new UnusableDatabase(
    `${file} was moved to PostgreSQL on ${date}: the database ${place}. Start with DATABASE_URL set to ` +
      'postgres://USER:PASSWORD@HOST:PORT/NAME of that database. To go back to this file, without anything that was ' +
      'changed there since, run "./tributary migrate-db --back" first.',
  );
}
