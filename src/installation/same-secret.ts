import type { Database } from '../db/database.ts';
import type { Migration } from '../db/migrator.ts';
import { query } from '../db/statements/query.ts';
import type { Keyring } from '../shared/secrets.ts';
import { ConfigError } from './config.ts';

export const installationMigrations: Migration[] = [
  {
    name: 'installation/0001-baseline',
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

/** Identifies a secret without revealing it. */
export function secretHashOf(keyring: Keyring): string {
  return keyring.hash('installation', NAME);
}

/**
 * A PostgreSQL database can be opened with the secret of another data folder: by an instance that created
 * its own secret, or after the folder was lost. No key, password or session would be valid then.
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
