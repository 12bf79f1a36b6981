import { ConfigError } from './config.ts';
import type { Database } from '../db/database.ts';
import type { Migration } from '../db/migrator.ts';
import { query } from '../db/statements/query.ts';
import type { Keyring } from '../shared/secrets.ts';

export const installationMigrations: Migration[] = [
  {
    name: '0001-installation',
    up: (schema) => [
      schema
        .createTable('installation')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull()),
    ],
  },
];

const find = query<{ name: string }, { value: string }>((db, p) =>
  db.selectFrom('installation').select('value').where('name', '=', p.name),
);
const insert = query<{ name: string; value: string }>((db, p) =>
  db.insertInto('installation').values({ name: p.name, value: p.value }),
);

const NAME = 'secret';

/** Tells one secret from another, without telling anything about it. */
export function secretHashOf(keyring: Keyring): string {
  return keyring.hash('installation', NAME);
}

/**
 * A database apart from its data folder can meet the secret of another one: of an instance that made
 * its own, or of a folder that was lost. No key, password or session would be valid there.
 */
export async function requireSameSecret(database: Database, keyring: Keyring): Promise<void> {
  const mine = secretHashOf(keyring);
  const known = await database.transaction(async (tx) => {
    await tx.lock('installation');
    const found = await tx.first(find, { name: NAME });
    if (!found) await tx.run(insert, { name: NAME, value: mine });
    return found?.value ?? mine;
  });
  if (known === mine) return;
  throw new ConfigError(
    'The secret.key of this data folder is not the one that the database was made with, and no key, ' +
      'password or session would be valid. Put the right one there: all instances share it.',
  );
}
