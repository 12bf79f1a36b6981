import type { Job } from '../../../kernel/declare/job.ts';
import { pruner } from '../../../modules/deliveries/index.ts';
import { keepDays } from '../settings.ts';
import { postbackTables } from '../tables.ts';

const DAY_MS = 24 * 60 * 60_000;

const prune = pruner(postbackTables);

/** Removes old deliveries, and deleted postbacks with theirs. */
export const prunePostbacks: Job = {
  name: 'postbacks.prune',
  everyMs: 10 * 60_000,
  runsOn: 'one',
  alsoWhileOff: true,
  run: (site) =>
    prune(site.database, { before: site.clock() - site.settings.get(keepDays) * DAY_MS }),
};
