import { sql, type SqlBool } from 'kysely';
import { deleteInBatches } from '../../src/db/statements/in-batches.ts';
import type { Tables } from '../../src/db/tables.ts';
import type { Job } from '../../src/kernel/declare/job.ts';
import { DEVICE_DAYS } from '../../src/modules/registrations/index.ts';
import { DAY_MS } from '../../src/shared/durations.ts';
import { PAST_DAYS } from './past/order-traces.ts';

const removeBefore = (table: keyof Tables) =>
  deleteInBatches<{ before: number }>(
    table,
    'recorded_at',
    (p) => sql<SqlBool>`recorded_at < ${p.before}`,
  );

const kept = [
  { days: PAST_DAYS, remove: removeBefore('review_click_traces') },
  { days: PAST_DAYS, remove: removeBefore('review_order_traces') },
  { days: DEVICE_DAYS, remove: removeBefore('review_devices') },
];

/** Removes what is kept of visitors, customers and applicants for a time. */
export const pruneReview: Job = {
  name: 'review.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  alsoWhileOff: true,
  async run({ database, clock }) {
    for (const { days, remove } of kept) {
      await remove(database, { before: clock() - days * DAY_MS });
    }
  },
};
