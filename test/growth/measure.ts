import { ownJobs } from '../../src/worker/worker.ts';
import { cases } from './cases.ts';
import { FIRST } from './fill-kit.ts';
import type { FilledStore } from './filled-store.ts';
import { send } from './request.ts';

/** Does the work, and tells how much it was. */
type Meter<T> = (work: () => Promise<unknown>) => Promise<T>;

/**
 * The work of every operation and of every job, unless one is left out. Each operation is called about a row of its own. A call that reads is measured when it is made again: totals and other cached values are then known.
 */
export async function measure<T>(
  store: FilledStore,
  meter: Meter<T>,
  isLeftOut = (_name: string): boolean => false,
): Promise<Map<string, T>> {
  const { site } = store.app;
  const measured = new Map<string, T>();
  let row = FIRST + 50;
  for (const operation of site.registry.allOperations()) {
    const name = `${operation.method} ${operation.url}`;
    row += 1;
    if (isLeftOut(name)) continue;
    const request = (await cases[name]?.(row, store)) ?? {};
    const call = () => send(store, operation, row, request);
    // What a case writes is the change of another process, which would empty the caches at any moment.
    site.database.noticeForeignChange();
    if (operation.method === 'GET') await call();
    measured.set(name, await meter(call));
  }
  for (const job of [...ownJobs, ...site.registry.modules.flatMap(({ jobs = [] }) => jobs)]) {
    const name = `job ${job.name}`;
    if (!isLeftOut(name)) measured.set(name, await meter(() => job.run(site)));
  }
  return measured;
}
