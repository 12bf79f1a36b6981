import { query } from '../../db/query.ts';
import type { Job } from '../../kernel/job.ts';
import { keepDays } from './settings.ts';

const DAY_MS = 24 * 60 * 60_000;
/** In one transaction: others wait for it, a few milliseconds. */
const AT_ONCE_MAX = 1_000;

const removeOld = query<{ before: number; limit: number }>((db, p) =>
  db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('queued_at', '<', p.before)
        .limit(p.limit),
    ),
);

const deleted = query<object, { id: number }>((db) =>
  db.selectFrom('webhooks').select('id').where('status', '=', 'deleted'),
);

const removeOf = query<{ webhook_id: number; limit: number }>((db, p) =>
  db
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', p.webhook_id)
        .limit(p.limit),
    ),
);

const removeWebhook = query<{ id: number }>((db, p) =>
  db.deleteFrom('webhooks').where('id', '=', p.id).where('status', '=', 'deleted'),
);

/** Forgets old deliveries, and everything of deleted webhooks. */
export const pruneDeliveries: Job = {
  name: 'webhooks.prune',
  everyMs: 10 * 60_000,
  runsOn: 'one',
  async run(site) {
    const { database } = site;
    const inPieces = async (remove: () => Promise<number>) => {
      while ((await remove()) === AT_ONCE_MAX);
    };
    const before = site.clock() - site.settings.get(keepDays) * DAY_MS;
    const limit = AT_ONCE_MAX;
    await inPieces(() => database.transaction((tx) => tx.run(removeOld, { before, limit })));
    for (const { id } of await database.read.all(deleted, {})) {
      await inPieces(() =>
        database.transaction((tx) => tx.run(removeOf, { webhook_id: id, limit })),
      );
      await database.transaction((tx) => tx.run(removeWebhook, { id }));
    }
  },
};
