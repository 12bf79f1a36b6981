import { setTimeout as wait } from 'node:timers/promises';
import type { Engine, Store } from './engine.ts';
import { load, repeated } from './load.ts';
import { isWanted, options } from './options.ts';
import { memoryMb, watchMemory } from './processes.ts';
import { reads } from './read-paths.ts';
import { get, requestBytes } from './request.ts';
import type { Collected } from './result.ts';
import { scale } from './scale.ts';
import { startService } from './service.ts';
import { median } from './turns.ts';

const { starts: STARTS, settleMs: SETTLE_MS } = scale;

/** Measures the time from start to first response on an existing store, and memory. */
export async function measureFootprint(
  engine: Engine,
  store: Store,
  collected: Collected,
): Promise<void> {
  if (!isWanted('memory')) return;
  const started: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const startedMs = performance.now();
    const service = await startService(store);
    await get(service.port, store.token, '/svc/v2/me');
    if (i > 0 || STARTS === 1) started.push(performance.now() - startedMs);
    await service.stop();
  }
  const { name } = engine;
  const size = store.orders.toLocaleString('en');
  collected.figure('start', `on a store of ${size} orders`, name, median(started));

  const service = await startService(store);
  await wait(SETTLE_MS);
  collected.figure('memory', 'just started', name, memoryMb(service.pid));
  const most = watchMemory(service.pid);
  for (const { path } of reads) {
    const filled = path.replace('HALF', '1000').replace('COUPON', '1');
    const request = requestBytes(store.token, 'GET', `/svc/v2${filled}`);
    await load(service.port, repeated([request], options.ms), options.connections);
  }
  collected.figure('memory', 'most under load, every read in turn', name, most());
  await wait(SETTLE_MS);
  collected.figure('memory', 'after load', name, memoryMb(service.pid));
  await service.stop();
}
