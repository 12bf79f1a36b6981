import type { Job } from '../../kernel/declare/job.ts';
import { removeClicksRecordedBefore } from './click-store.ts';
import { cookieDays, DAY_MS } from './settings.ts';

/** Stores send some orders late: an order may come so long after it was placed and find its click. */
const ORDER_DELAY_MS = 90 * DAY_MS;

/**
 * Removes clicks that no order can be credited to any more. Their age counts from when they came in: a
 * store that moves here sends the clicks of its history, and the orders after them. Statistics do not
 * change: they are summed from `click_days`, which stays.
 */
export const pruneClicks: Job = {
  name: 'clicks.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: ({ database, settings, clock }) =>
    removeClicksRecordedBefore(
      database,
      clock() - settings.get(cookieDays) * DAY_MS - ORDER_DELAY_MS,
    ),
};
