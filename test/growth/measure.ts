import { ownJobs } from '../../src/worker/worker.ts';
import { cases } from './cases.ts';
import { FIRST } from './fill-kit.ts';
import type { FilledStore } from './filled-store.ts';
import { send } from './request.ts';
import { stepsOf, type Steps } from './steps.ts';

/**
 * The work of every operation and of every job. Each operation is called about a row of its own. A call that reads is measured when it is made again: totals and other cached values are then known.
 */
export async function measure(store: FilledStore): Promise<Map<string, Steps>> {
  const { site } = store.app;
  const measured = new Map<string, Steps>();
  let row = FIRST + 50;
  for (const operation of site.registry.allOperations()) {
    const name = `${operation.method} ${operation.url}`;
    row += 1;
    const request = (await cases[name]?.(row, store)) ?? {};
    const call = () => send(store, operation, row, request);
    // What a case writes is the change of another process, which would empty the caches at any moment.
    site.database.noticeForeignChange();
    if (operation.method === 'GET') await call();
    measured.set(name, await stepsOf(call));
  }
  for (const job of [...ownJobs, ...site.registry.modules.flatMap(({ jobs = [] }) => jobs)]) {
    measured.set(`job ${job.name}`, await stepsOf(() => job.run(site)));
  }
  return measured;
}
