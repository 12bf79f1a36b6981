import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '../../../kernel/declare/job.ts';
import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { causeOf } from '../../../shared/limited-log.ts';
import { loopsOf } from '../connection-loops.ts';
import { ShopError } from '../connector.ts';
import type { SyncTask } from '../tables.ts';
import { readNextPage } from './run-sync.ts';
import { listDueSyncs } from './sync-store.ts';

const LOOK_MS = 1_000;
const LOOPS = 'sync ';

/** Reads what has changed in connected stores, and their history where an import was requested. */
export const syncStores: Job = {
  name: 'stores.sync',
  everyMs: 1_000,
  runsOn: 'one',
  atStop: true,
  async run(site) {
    await startLoops(site);
    const all = loopsOf(site).settled(LOOPS);
    await (loopsOf(site).isClosed ? all : Promise.race([all, pause(LOOK_MS)]));
  },
};

/** Reads everything that is due. @internal Exported for tests. */
export async function syncDue(site: Site): Promise<void> {
  await startLoops(site);
  await loopsOf(site).settled(LOOPS);
}

async function startLoops(site: Site): Promise<void> {
  for (const { connection_id, task } of await listDueSyncs(site.database.read, site.clock())) {
    const name = `${LOOPS}${connection_id} ${task}`;
    loopsOf(site).start(name, () => readPages(site, connection_id, task));
  }
}

/** One page after the other. If the store does not answer, the rest is due later. */
async function readPages(site: Site, connectionId: number, task: SyncTask): Promise<void> {
  try {
    while (!loopsOf(site).isClosed) {
      const result = await readNextPage(site, connectionId, task);
      if (!result || result.isComplete) return;
    }
  } catch (error) {
    if (error instanceof ShopError) return;
    limitedLogOf(site).error(
      `store sync ${connectionId} ${causeOf(error)}`,
      { err: error, connection: connectionId, task },
      'reading the orders of a store failed',
    );
  }
}
