const FIRST_MS = 5_000;
const LAST_MS = 60 * 60_000;
/** Jitter, so that what failed together is not retried together. */
const SPREAD = 0.2;

/** The longest wait, with its jitter. */
export const RETRY_MS_MAX = LAST_MS * (1 + SPREAD);

/** The wait after this many failed attempts: 5 seconds, then twice as long each time, up to an hour. */
export function retryDelayMs(failedAttempts: number, random = Math.random): number {
  const delayMs = Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(failedAttempts - 1, 20));
  return Math.round(delayMs * (1 - SPREAD + 2 * SPREAD * random()));
}
