import { sql, type SqlBool } from 'kysely';
import { updateInBatches } from '../../../src/db/statements/in-batches.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { catchUp } from '../sync/catch-up.ts';

/** A delivery that waits because the store did not answer has a reason; without one, its time is the end of a lease. */
const deliveries = updateInBatches<{ now: number }>('store_deliveries', 'id', (p) => ({
  set: sql`due_at = ${p.now}`,
  where: sql<SqlBool>`due_at > ${p.now} and reason = ''`,
}));

const syncs = query<{ now: number }>((db, p) =>
  db.updateTable('store_syncs').set({ lease: '', due_at: p.now }).where('lease', '!=', ''),
);

/** Makes due what a crashed server was processing and reading, and compares with the stores. */
export async function releaseStoreLeases(site: Site): Promise<void> {
  const { database } = site;
  const now = site.clock();
  await deliveries(database, { now });
  await database.transaction((tx) => tx.run(syncs, { now }));
  await catchUp(site);
}
