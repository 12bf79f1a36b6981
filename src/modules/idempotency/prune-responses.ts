import type { Job } from '../../kernel/declare/job.ts';
import { removeExpired } from './response-store.ts';

/** Runs every minute, because a response with a secret is stored for ten minutes only. */
export const pruneResponses: Job = {
  name: 'idempotency.prune',
  everyMs: 60_000,
  runsOn: 'one',
  run: (site) => removeExpired(site.database, site.clock()),
};
