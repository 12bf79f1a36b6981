import { setTimeout as wait } from 'node:timers/promises';
import type { Engine, Store } from './engine.ts';
import { load, type LoadResult } from './load.ts';
import { isWanted } from './options.ts';
import { watchMemory } from './processes.ts';
import { YEAR } from './read-paths.ts';
import { drain, requestBytes } from './request.ts';
import type { Collected } from './result.ts';
import { scale } from './scale.ts';
import { startService } from './service.ts';

const PROBES = 8;

/** Measures how heavy work slows other requests, and how much memory it takes. */
export async function measureBeside(
  engine: Engine,
  store: Store,
  collected: Collected,
): Promise<void> {
  if (!isWanted('beside')) return;
  const service = await startService(store);
  const { port, pid } = service;
  const { token } = store;
  const report = '/svc/v2/reports/summary?refresh=true';
  const works: [string, string][] = [
    ['report of a year, not kept', `${report}&${YEAR}`],
    ['report of all time, not kept', report],
    ['rebuild of the largest coupon', '/svc/v2/coupons/1/stats?refresh=true'],
    ['export of all orders', '/svc/store/v1/exports/orders.csv'],
  ];
  const note = (group: string, name: string, value: number) =>
    collected.figure(group, name, engine.name, value);
  await probed(port, token, () => wait(scale.settleMs));
  const alone = await probed(port, token, () => wait(scale.aloneMs));
  note('others', 'nothing', alone.result.p99Ms);
  for (const [name, path] of works) {
    const memory = watchMemory(pid);
    const { result, tookMs } = await probed(port, token, () => drain(port, token, path));
    note('takes', name, tookMs);
    note('others', name, result.p99Ms);
    note('rise', name, result.p99Ms - alone.result.p99Ms);
    note('memory', `beside ${name}`, memory());
  }
  await service.stop();
}

/** Requests are sent until the work is done. */
async function probed(
  port: number,
  token: string,
  work: () => Promise<unknown>,
): Promise<{ result: LoadResult; tookMs: number }> {
  const request = requestBytes(token, 'GET', '/svc/v2/coupons/2');
  let done = false;
  const probing = load(port, () => (done ? undefined : request), PROBES);
  const startedMs = performance.now();
  await work();
  const tookMs = performance.now() - startedMs;
  done = true;
  return { result: await probing, tookMs };
}
