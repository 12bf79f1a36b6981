import { setTimeout } from 'node:timers/promises';
import type { Engine, Store } from './engine.ts';
import { summaryOf } from './load.ts';
import { isWanted } from './options.ts';
import { mainThreadCpuMs } from './processes.ts';
import { get } from './request.ts';
import type { Collected } from './result.ts';
import { scale } from './scale.ts';
import { screens } from './screen-calls.ts';
import { screenData } from './screen-data.ts';
import { startService } from './service.ts';

/** The list of affiliates is built in the background. */
const LISTED_EVERY_MS = 1_000;

/**
 * Measures each call that a screen of the portal or the console sends, one request at a time, as one person
 * sends them. No call may take longer than a person notices. The slowest of fifty is the first: no cache helps it.
 * On a busy machine the CPU time of the main thread says more than the time that the client waited.
 */
export async function measureScreens(
  engine: Engine,
  orders: Store,
  collected: Collected,
): Promise<void> {
  if (!isWanted('screens')) return;
  const store = await engine.variantOf(orders, 'screens', screenData(engine));
  const service = await startService(store);
  try {
    await untilAffiliatesAreListed(service.port, store.token);
    const ownerOf = async (coupon: number) => {
      const { body } = await get(service.port, store.token, `/svc/v2/coupons/${coupon}`);
      return String((JSON.parse(body) as { user_id: number }).user_id);
    };
    const [busiest, other] = [await ownerOf(1), await ownerOf(2)];
    for (const [screen, paths] of Object.entries(screens)) {
      for (const template of paths) {
        const path = template.replace('BUSIEST', busiest).replace('OTHER', other);
        const latencies: number[] = [];
        const cpuTimes: number[] = [];
        for (let i = 0; i < scale.screenTimes; i++) {
          const [startedMs, usedMs] = [performance.now(), mainThreadCpuMs(service.pid)];
          const { status, body } = await get(service.port, store.token, path);
          if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
          latencies.push(performance.now() - startedMs);
          cpuTimes.push(mainThreadCpuMs(service.pid) - usedMs);
        }
        const name = `${screen}: ${template.replace(/^\/svc\/(store\/v1|v2)/, '')}`;
        const waited = summaryOf(latencies, 0);
        const used = summaryOf(cpuTimes, 0);
        collected.figure('screen-p50', name, engine.name, waited.p50Ms);
        collected.figure('screen-p99', name, engine.name, waited.p99Ms);
        collected.figure('screen-cpu-p50', name, engine.name, used.p50Ms);
        collected.figure('screen-cpu-p99', name, engine.name, used.p99Ms);
      }
    }
  } finally {
    await service.stop();
  }
}

async function untilAffiliatesAreListed(port: number, token: string): Promise<void> {
  for (;;) {
    const { headers } = await get(port, token, '/svc/store/v1/affiliates?per_page=1');
    const total = headers[headers.findIndex((name) => name.toLowerCase() === 'x-svc-total') + 1];
    if (Number(total) >= scale.coupons) return;
    await setTimeout(LISTED_EVERY_MS);
  }
}
