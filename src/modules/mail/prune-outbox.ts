import type { Job } from '../../kernel/declare/job.ts';
import { removeSentBefore } from './outbox-store.ts';

const SENT_RETENTION_MS = 30 * 24 * 60 * 60_000;

export const pruneOutbox: Job = {
  name: 'mail.prune',
  everyMs: 60 * 60_000,
  runsOn: 'one',
  run: (site) => removeSentBefore(site.database, site.clock() - SENT_RETENTION_MS),
};
