import { sql, type SqlBool } from 'kysely';
import { deleteInBatches } from '../../../src/db/statements/in-batches.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { Job } from '../../../src/kernel/declare/job.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { keepDays } from '../settings.ts';

const removeOld = deleteInBatches<{ before: number }>(
  'store_deliveries',
  'received_at',
  (p) => sql<SqlBool>`received_at < ${p.before}`,
);

const deleted = query<object, { id: number }>((db) =>
  db.selectFrom('store_connections').select('id').where('state', '=', 'deleted'),
);

const removeOf = deleteInBatches<{ connection_id: number }>(
  'store_deliveries',
  'id',
  (p) => sql<SqlBool>`connection_id = ${p.connection_id}`,
);

/** Removes old deliveries with their payloads, also those that failed, and those of deleted connections. */
export const pruneStoreDeliveries: Job = {
  name: 'stores.prune',
  everyMs: 10 * 60_000,
  runsOn: 'one',
  alsoWhileOff: true,
  async run(site) {
    const before = site.clock() - site.settings.get(keepDays) * DAY_MS;
    await removeOld(site.database, { before });
    for (const { id } of await site.database.read.all(deleted, {}))
      await removeOf(site.database, { connection_id: id });
  },
};
