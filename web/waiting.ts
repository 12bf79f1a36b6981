import { ConnectionError, TimeoutError, TributaryError } from '../sdk/src/index.ts';

const WAIT_MS = 1_000;
const WAIT_MS_MAX = 30_000;

/** Whether the same call may succeed later without a change. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TributaryError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/** Whether the service refused a call because there were too many. */
export function isLimit(error: unknown): boolean {
  return error instanceof TributaryError && error.status === 429;
}

/** The time until the next attempt: what the service asks for, else longer after each failure. */
export function waitMsAfter(error: unknown, failures: number): number {
  const askedMs = error instanceof TributaryError ? (error.retryAfter ?? 0) * 1000 : 0;
  const mostMs = Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** failures);
  return askedMs + mostMs * (0.5 + Math.random() / 2);
}

/** Waits for some time, or until the browser is online again or the signal is aborted. */
export function pause(ms: number, stopped?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      stopped?.removeEventListener('abort', go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
    stopped?.addEventListener('abort', go);
    // A signal that is aborted already fires no event.
    if (stopped?.aborted) go();
  });
}
