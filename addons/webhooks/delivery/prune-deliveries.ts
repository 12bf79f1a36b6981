import { query } from '../../../src/db/statements/query.ts';
import type { Job } from '../../../src/kernel/declare/job.ts';
import { pruner } from '../../../src/modules/deliveries/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { keepDays } from '../settings.ts';
import { webhookTables } from '../tables.ts';

const prune = pruner(webhookTables);

const removeOldDays = query<{ before: string }>((db, p) =>
  db.deleteFrom('webhook_days').where('day', '<', p.before),
);

const removeDaysOf = query<{ webhook_id: number }>((db, p) =>
  db.deleteFrom('webhook_days').where('webhook_id', '=', p.webhook_id),
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
    const firstDay = site.calendar.dayOf(before);
    await database.transaction((tx) => tx.run(removeOldDays, { before: firstDay }));
    await prune(database, {
      before,
      removeRest: (tx, webhook_id) => tx.run(removeDaysOf, { webhook_id }),
    });
  },
};
