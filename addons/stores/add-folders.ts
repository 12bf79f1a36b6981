import { sql } from 'kysely';
import type { Transaction } from '../../src/db/database.ts';
import { readAll } from '../../src/db/statements/calls.ts';
import { saveIn } from '../../src/db/statements/plain-calls.ts';
import { hostAndFolderOf } from './connections/store-identity.ts';

const readStores = readAll<object, { id: number; url: string }>((db) =>
  db
    .selectFrom('store_connections')
    .select(['id', 'url'])
    .where('host', 'is not', null)
    .where('url', '!=', sql.lit('')),
);

const saveHost = saveIn('store_connections', ['host'], 'id');

/** Stores were told apart by their host alone. The address of a deleted one is no longer known. */
export async function addFolders(tx: Transaction): Promise<void> {
  for (const { id, url } of await readStores(tx, {})) {
    await saveHost(tx, { id, host: hostAndFolderOf(url) });
  }
}
