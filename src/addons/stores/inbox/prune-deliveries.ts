import { sql, type SqlBool } from 'kysely';
import { deleteBatch, runInBatches } from '../../../db/statements/in-batches.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import { keepDays } from '../settings.ts';

const DAY_MS = 24 * 60 * 60_000;

const removeOld = deleteBatch<{ before: number }>(
  'store_deliveries',
  'received_at',
  (p) => sql<SqlBool>`received_at < ${p.before}`,
);

const removeOfDeleted = deleteBatch<object>(
  'store_deliveries',
  'id',
  () => sql<SqlBool>`connection_id in (select id from store_connections where state = 'deleted')`,
);

/** Removes old deliveries with their payloads, also those that failed, and those of deleted connections. */
export const pruneStoreDeliveries: Job = {
  name: 'stores.prune',
  everyMs: 10 * 60_000,
  runsOn: 'one',
  async run(site) {
    const before = site.clock() - site.settings.get(keepDays) * DAY_MS;
    await runInBatches(site.database, removeOld, { before });
    await runInBatches(site.database, removeOfDeleted, {});
  },
};
