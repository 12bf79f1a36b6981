import { limitedLogOf } from '../../../src/kernel/declare/limited-log.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { causeOf } from '../../../src/shared/limited-log.ts';
import { ConnectionLoops, isClosing } from '../connections/connection-loops.ts';
import { StoreError } from '../connectors/connector.ts';
import type { SyncTask } from '../tables.ts';
import { readNextPage } from './run-sync.ts';
import { listDueSyncs } from './sync-rows.ts';

const loops = new ConnectionLoops({
  name: 'stores.sync',
  everyMs: 1_000,
  async startDue(site, start) {
    const due = await listDueSyncs(site.database.read, { now: site.clock() });
    for (const { connection_id, task } of due) {
      start(`${connection_id} ${task}`, () => readPages(site, connection_id, task));
    }
  },
});

/** Reads what has changed in connected stores, and their history where an import was requested. */
export const syncStores = loops.job;

/** Reads everything that is due. @internal Exported for tests. */
export function syncDue(site: Site): Promise<void> {
  return loops.drain(site);
}

/** One page after the other. If the store does not answer, the rest is due later. */
async function readPages(site: Site, connectionId: number, task: SyncTask): Promise<void> {
  try {
    while (!isClosing(site)) {
      const result = await readNextPage(site, connectionId, task);
      if (!result || result.isComplete) return;
    }
  } catch (error) {
    if (error instanceof StoreError) return;
    limitedLogOf(site).error(
      `store sync ${connectionId} ${causeOf(error)}`,
      { err: error, connection: connectionId, task },
      'reading the orders of a store failed',
    );
  }
}
