import type { Job } from '../../kernel/declare/job.ts';
import { removeExpired } from './answer-store.ts';

/** Every minute: an answer with a secret is kept for ten. */
export const pruneAnswers: Job = {
  name: 'idempotency.prune',
  everyMs: 60_000,
  runsOn: 'one',
  run: (site) => removeExpired(site.database, site.clock()),
};
