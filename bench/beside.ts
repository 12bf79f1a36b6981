import { setTimeout as wait } from 'node:timers/promises';
import type { Engine, Store } from './engine.ts';
import { load, type LoadResult } from './load.ts';
import { isWanted } from './options.ts';
import { watchMemory } from './processes.ts';
import { YEAR } from './read-paths.ts';
import { drain, requestBytes, send } from './request.ts';
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
  const read = (path: string) => () => drain(port, token, path);
  const works: [string, () => Promise<unknown>][] = [
    ['report of a year, not kept', read(`${report}&${YEAR}`)],
    ['report of all time, not kept', read(report)],
    ['rebuild of the largest coupon', read('/svc/v2/coupons/1/stats?refresh=true')],
    ['export of all orders', read('/svc/store/v1/exports/orders.csv')],
    ['dry run of all orders', () => dryRun(port, token)],
  ];
  const note = (group: string, name: string, value: number) =>
    collected.figure(group, name, engine.name, value);
  await probed(port, token, () => wait(scale.settleMs));
  const alone = await probed(port, token, () => wait(scale.aloneMs));
  note('others', 'nothing', alone.result.p99Ms);
  for (const [name, work] of works) {
    const memory = watchMemory(pid);
    const { result, tookMs } = await probed(port, token, work);
    note('takes', name, tookMs);
    note('others', name, result.p99Ms);
    note('rise', name, result.p99Ms - alone.result.p99Ms);
    note('memory', `beside ${name}`, memory());
  }
  await service.stop();
}

/** Tries rules with steps, a limit and first orders on all orders, which are those of a year. */
async function dryRun(port: number, token: string): Promise<void> {
  const path = '/svc/store/v1/rewards/dry-run';
  const day = (daysAgo: number) =>
    new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const counter = { by: 'sales', counts: 'granted', window: { kind: 'month' } };
  const steps = [
    { from: 0, percent: 10 },
    { from: 1_000, percent: 12 },
  ];
  const limit = { amount: 100, per: 'affiliate', window: { kind: 'month' } };
  const rules = [
    { what: { categories: ['1'] }, order: { customer: 'first' }, rate: { percent: 20 } },
    { what: { categories: ['2'] }, rate: { percent: 7 }, limit },
    { rate: { steps: { ...counter, steps } } },
  ];
  const started = await send(port, token, 'POST', path, { rules, from: day(366), to: day(0) });
  const { id } = started as { id: number };
  for (;;) {
    const { state } = (await send(port, token, 'GET', `${path}/${id}`)) as { state: string };
    if (state === 'done') return;
    if (state !== 'running') throw new Error(`the dry run ${state}`);
    await wait(scale.pollMs);
  }
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
