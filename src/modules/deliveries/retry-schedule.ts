import { SECOND_MS, MINUTE_MS, HOUR_MS } from '../../shared/durations.ts';

/**
 * Delay after the first failed attempt, the second, and so on. The first attempt has no delay.
 *
 * @internal Exported for its test.
 */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Jitter, so that deliveries that failed together are not retried together. */
const SPREAD = 0.2;

/** Longest wait by number of attempts. */
export const WAITS_MS_MAX = [0, ...RETRY_DELAYS_MS.map((ms) => Math.ceil(ms * (1 + SPREAD)))];

/** Upper limit for `Retry-After`: the longest delay of the schedule. */
export const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;

/** Delay after this many failed attempts; undefined after the last one. */
export function retryDelayMs(failedAttempts: number, random = Math.random): number | undefined {
  const delay = RETRY_DELAYS_MS[failedAttempts - 1];
  return delay && Math.round(delay * (1 - SPREAD + 2 * SPREAD * random()));
}

/** Parses `Retry-After`: seconds or a date. Undefined if the value is not usable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - nowMs;
  return wait > 0 ? Math.min(wait, RETRY_AFTER_MS_MAX) : undefined;
}
