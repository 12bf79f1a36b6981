import { sql, type SqlBool } from 'kysely';
import { deleteInBatches } from '../../db/statements/in-batches.ts';
import type { Job } from '../../kernel/declare/job.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { cookieDays } from './settings.ts';

const removeClicksRecordedBefore = deleteInBatches<{ before: number }>(
  'clicks',
  'recorded_at',
  (p) => sql<SqlBool>`recorded_at < ${p.before}`,
);

/** Stores send some orders late. Clicks are stored this much longer, so that late orders are credited. */
const ORDER_DELAY_MS = 90 * DAY_MS;

/**
 * Removes clicks that no order can be credited to any more. Their age counts from when they were
 * recorded: a store that migrates sends its historic clicks first, and then the orders. Statistics do
 * not change, because they are summed from `click_days`.
 */
export const pruneClicks: Job = {
  name: 'clicks.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: ({ database, settings, clock }) =>
    removeClicksRecordedBefore(database, {
      before: clock() - settings.get(cookieDays) * DAY_MS - ORDER_DELAY_MS,
    }),
};
