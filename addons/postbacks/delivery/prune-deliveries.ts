import type { Job } from '../../../src/kernel/declare/job.ts';
import { pruner } from '../../../src/modules/deliveries/index.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { keepDays } from '../settings.ts';
import { postbackTables } from '../tables.ts';

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
