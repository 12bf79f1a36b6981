import { sql, type SqlBool } from 'kysely';
import { query } from '../../../db/statements/query.ts';
import { deleteInBatches } from '../../../db/statements/in-batches.ts';
import type { Job } from '../../../kernel/declare/job.ts';
import { keepDays } from '../settings.ts';

const DAY_MS = 24 * 60 * 60_000;

const removeOld = deleteInBatches<{ before: number }>(
  'webhook_deliveries',
  'queued_at',
  (p) => sql<SqlBool>`queued_at < ${p.before}`,
);

const deleted = query<object, { id: number }>((db) =>
  db.selectFrom('webhooks').select('id').where('status', '=', 'deleted'),
);

const removeOf = deleteInBatches<{ webhook_id: number }>(
  'webhook_deliveries',
  'event_id',
  (p) => sql<SqlBool>`webhook_id = ${p.webhook_id}`,
);

const removeOldDays = query<{ before: string }>((db, p) =>
  db.deleteFrom('webhook_days').where('day', '<', p.before),
);

const removeDaysOf = query<{ webhook_id: number }>((db, p) =>
  db.deleteFrom('webhook_days').where('webhook_id', '=', p.webhook_id),
);

const removeWebhook = query<{ id: number }>((db, p) =>
  db.deleteFrom('webhooks').where('id', '=', p.id).where('status', '=', 'deleted'),
);

/** Removes old deliveries with their attempts, old figures, and deleted webhooks with theirs. */
export const pruneDeliveries: Job = {
  name: 'webhooks.prune',
  everyMs: 10 * 60_000,
  runsOn: 'one',
  alsoWhileOff: true,
  async run(site) {
    const { database } = site;
    const before = site.clock() - site.settings.get(keepDays) * DAY_MS;
    await removeOld(database, { before });
    const firstDay = site.calendar.dayOf(before);
    await database.transaction((tx) => tx.run(removeOldDays, { before: firstDay }));
    for (const { id } of await database.read.all(deleted, {})) {
      await removeOf(database, { webhook_id: id });
      await database.transaction(async (tx) => {
        await tx.run(removeDaysOf, { webhook_id: id });
        await tx.run(removeWebhook, { id });
      });
    }
  },
};
