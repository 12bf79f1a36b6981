import type { Job } from '../../kernel/job.ts';
import { removeClicksBefore } from './click-store.ts';
import { cookieDays, DAY_MS } from './settings.ts';

/** Stores send some orders late: an order may come so long after it was placed and find its click. */
const ORDER_DELAY_MS = 90 * DAY_MS;

/**
 * Removes clicks that no order can be credited to any more. Statistics do not change: they are
 * summed from `click_days`, which stays.
 */
export const pruneClicks: Job = {
  name: 'clicks.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: ({ database, settings, clock }) =>
    removeClicksBefore(database, clock() - settings.get(cookieDays) * DAY_MS - ORDER_DELAY_MS),
};
