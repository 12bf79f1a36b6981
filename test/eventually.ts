import { setTimeout } from 'node:timers/promises';

/** No measure of speed: only so that a test of something that never happens ends. */
export const SAFETY_NET_MS = 300_000;

/** Looks again and again until the check passes; fails with its last error after a very long time. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + SAFETY_NET_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await setTimeout(10);
    }
  }
}
