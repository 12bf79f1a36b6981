import type { Engine, Store } from './engine.ts';
import { summaryOf } from './load.ts';
import { isWanted } from './options.ts';
import { get } from './request.ts';
import type { Collected } from './result.ts';
import { screens } from './screen-calls.ts';
import { startService } from './service.ts';

const TIMES = 50;

/**
 * Measures each call that a screen of the portal or the console sends, one request at a time, as one person
 * sends them. No call may take longer than a person notices.
 */
export async function measureScreens(
  engine: Engine,
  store: Store,
  collected: Collected,
): Promise<void> {
  if (!isWanted('screens')) return;
  const service = await startService(store);
  try {
    const ownerOf = async (coupon: number) => {
      const { body } = await get(service.port, store.token, `/svc/v2/coupons/${coupon}`);
      return String((JSON.parse(body) as { user_id: number }).user_id);
    };
    const [busiest, other] = [await ownerOf(1), await ownerOf(2)];
    for (const [screen, paths] of Object.entries(screens)) {
      for (const template of paths) {
        const path = template.replace('BUSIEST', busiest).replace('OTHER', other);
        const latencies: number[] = [];
        for (let i = 0; i < TIMES; i++) {
          const startedMs = performance.now();
          const { status, body } = await get(service.port, store.token, path);
          if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
          latencies.push(performance.now() - startedMs);
        }
        const name = `${screen}: ${template.replace(/^\/svc\/(store\/v1|v2)/, '')}`;
        const { p50Ms, p99Ms } = summaryOf(latencies, 0);
        collected.figure('screen-p50', name, engine.name, p50Ms);
        collected.figure('screen-p99', name, engine.name, p99Ms);
      }
    }
  } finally {
    await service.stop();
  }
}
