import type { Job } from '../../../src/kernel/declare/job.ts';
import { perSite, type Site } from '../../../src/kernel/declare/site.ts';
import { markCatchingUp } from './sync-rows.ts';

const started = perSite(() => ({ isMarked: false }));

/**
 * Compares with all stores now, once after each start: stores do not repeat what they sent while no server answered,
 * and after a crash that may be minutes ago.
 */
export async function catchUp(site: Site): Promise<void> {
  if (started(site).isMarked) return;
  started(site).isMarked = true;
  await site.database.transaction((tx) => markCatchingUp(tx, { now: site.clock() }));
}

/** Every instance, because each may have been the one that stores could not reach. */
export const catchUpStores: Job = {
  name: 'stores.catch-up',
  everyMs: 60 * 60_000,
  runsOn: 'each',
  run: catchUp,
};
