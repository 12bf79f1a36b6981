import { setTimeout as wait } from 'node:timers/promises';
import type { Dataset } from './dataset.ts';
import { load, type LoadResult } from './load.ts';
import { row } from './measure.ts';
import { isWanted } from './options.ts';
import { drain, requestBytes } from './request.ts';
import { memoryMb, startService, watchMemory } from './service.ts';

const PROBES = 8;
const ALONE_MS = 3_000;
const YEAR_MS = 364 * 24 * 60 * 60_000;

/** What others notice of heavy work, and how much memory it takes. */
export async function measureBeside(dataset: Dataset): Promise<void> {
  if (!isWanted('beside')) return;
  const service = await startService(dataset.data);
  const { port, pid } = service;
  const { token } = dataset;
  const from = new Date(Date.now() - YEAR_MS).toISOString().slice(0, 10);
  const to = new Date().toISOString().slice(0, 10);
  const idleMb = memoryMb(pid);
  const works: [string, () => Promise<unknown>][] = [
    ['nothing', () => wait(ALONE_MS)],
    [
      'report of a year',
      () => drain(port, token, `/svc/v2/reports/summary?refresh=true&from=${from}&to=${to}`),
    ],
    ['report, all-time', () => drain(port, token, '/svc/v2/reports/summary?refresh=true')],
    [
      'rebuild of the largest coupon',
      () => drain(port, token, '/svc/v2/coupons/1/stats?refresh=true'),
    ],
    ['export of all orders', () => drain(port, token, '/svc/store/v1/exports/orders.csv')],
  ];
  console.log(`\nothers (${PROBES} connections reading a coupon) beside heavy work\n`);
  console.log(row(['', 'takes ms', 'p50 ms', 'p99 ms', 'memory MB']));
  await probed(port, token, () => wait(1_000));
  for (const [name, work] of works) {
    const memory = watchMemory(pid);
    const { result, tookMs } = await probed(port, token, work);
    const cells = [tookMs.toFixed(0), result.p50Ms.toFixed(2), result.p99Ms.toFixed(2)];
    console.log(row([name, ...cells, memory().toFixed(0)]));
  }
  console.log(row(['memory when just started', '', '', '', idleMb.toFixed(0)]));
  await service.stop();
}

/** Requests go on until the work is done. */
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
