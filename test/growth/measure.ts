import { keepStatistics, ownJobs } from '../../src/worker/worker.ts';
import { cases } from './cases.ts';
import { FIRST } from './fill.ts';
import type { FilledStore } from './filled-store.ts';
import { send } from './request.ts';
import { stepsOf, type Steps } from './steps.ts';

/** Rows that the calls of one round are about: one for each operation. */
const ROWS_PER_ROUND = 300;

/**
 * The work of every operation and of every job. Each operation is called about a row of its own, and each round about
 * other rows. A call that reads is measured when it is made again: totals and other cached values are then known.
 */
export async function measure(
  store: FilledStore,
  round: number,
  isMeasured: (name: string) => boolean = () => true,
): Promise<Map<string, Steps>> {
  const { site } = store.app;
  const measured = new Map<string, Steps>();
  let row = FIRST + 50 + round * ROWS_PER_ROUND;
  for (const operation of site.registry.allOperations()) {
    const name = `${operation.method} ${operation.url}`;
    row += 1;
    if (!isMeasured(name)) continue;
    const request = (await cases[name]?.(row, store)) ?? {};
    const call = () => send(store, operation, row, request);
    // What a case writes is the change of another process, which would empty the caches at any moment.
    site.database.noticeForeignChange();
    if (operation.method === 'GET') await call();
    measured.set(name, await stepsOf(call));
  }
  // Statistics are made in a thread, and would change what is measured next.
  const own = ownJobs.filter((job) => job !== keepStatistics);
  for (const job of [...own, ...site.registry.modules.flatMap(({ jobs = [] }) => jobs)]) {
    const name = `job ${job.name}`;
    if (isMeasured(name)) measured.set(name, await stepsOf(() => job.run(site)));
  }
  return measured;
}
