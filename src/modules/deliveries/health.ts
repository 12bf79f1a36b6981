import { SECOND_MS } from '../../shared/durations.ts';
import type { Receiver } from './delivery-columns.ts';

/**
 * After this many consecutive failures a receiver counts as down and gets one probe at a time.
 *
 * @internal Exported for its test.
 */
export const FAILURES_TO_PROBE = 3;
const PROBE_MS_MIN = 5 * SECOND_MS;
const PROBE_MS_MAX = 60 * SECOND_MS;

/** A receiver is switched off after this many failures in a row over at least this time. */
export interface DisableRule {
  readonly failures: number;
  readonly forMs: number;
}

/** 410 Gone: the receiver wants no further deliveries. */
export const GONE = 410;

/** The result of one attempt. */
export interface AttemptResult {
  readonly atMs: number;
  /** Null if there was no response. */
  readonly code: number | null;
  /** Empty on success. */
  readonly error: string;
  readonly retryAfterMs: number | undefined;
}

export function isDown(failures: number): boolean {
  return failures >= FAILURES_TO_PROBE;
}

/** Updates failure count, pause and status of a receiver after an attempt. */
export function afterAttempt<R extends Receiver>(
  receiver: R,
  result: AttemptResult,
  rule: DisableRule,
): R {
  const { atMs, error, code } = result;
  if (error === '') {
    const healthy = { failures: 0, failing_since: null, paused_until: 0, last_error: '' };
    return { ...receiver, ...healthy, last_delivery_at: atMs };
  }
  const failures = receiver.failures + 1;
  const since = receiver.failing_since ?? atMs;
  const isTooMuch = failures >= rule.failures && atMs - since >= rule.forMs;
  return {
    ...receiver,
    failures,
    failing_since: since,
    paused_until: atMs + Math.max(probeAfterMs(failures), result.retryAfterMs ?? 0),
    status: isTooMuch || code === GONE ? 'disabled' : receiver.status,
    last_error: error,
    last_delivery_at: atMs,
  };
}

/** Resets the failures of a receiver that is activated again. */
export function reactivated<R extends Receiver>(receiver: R): R {
  const fresh = { failures: 0, failing_since: null, paused_until: 0, last_error: '' };
  return { ...receiver, ...fresh, status: 'active' };
}

function probeAfterMs(failures: number): number {
  if (!isDown(failures)) return 0;
  return Math.min(PROBE_MS_MIN * 2 ** (failures - FAILURES_TO_PROBE), PROBE_MS_MAX);
}
