import { setTimeout } from 'node:timers/promises';

/** Ends a test whose condition never becomes true. It is no performance limit. */
export const SAFETY_NET_MS = 300_000;

/** Polls until the check passes; throws its last error after `SAFETY_NET_MS`. */
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
