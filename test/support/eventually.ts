import { setTimeout } from 'node:timers/promises';

/** Ends a test whose condition never becomes true. It is no performance limit. */
export const SAFETY_NET_MS = 300_000;

/** The least wait between two checks. A check that takes long waits longer, so that waiting leaves the processor to others. */
const WAIT_MS = 10;
const WAIT_MS_MAX = 200;

/** Polls until the check passes; throws its last error after `SAFETY_NET_MS`. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + SAFETY_NET_MS;
  for (;;) {
    const startMs = performance.now();
    try {
      return await check();
    } catch (error) {
      const nowMs = performance.now();
      if (nowMs > deadline) throw error;
      await setTimeout(Math.min(WAIT_MS_MAX, Math.max(WAIT_MS, 4 * (nowMs - startMs))));
    }
  }
}
