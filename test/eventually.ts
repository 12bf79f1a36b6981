import { setTimeout } from 'node:timers/promises';

/** Looks again and again until the check passes; fails with its last error when time is up. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 5_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await setTimeout(10);
    }
  }
}
