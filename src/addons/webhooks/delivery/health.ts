import type { WebhookState } from '../webhook/webhook-rows.ts';

const SECOND_MS = 1_000;

/**
 * After this many consecutive failures a receiver counts as down and gets one probe at a time.
 *
 * @internal Exported for its test.
 */
export const FAILURES_TO_PROBE = 3;
const PROBE_MS_MIN = 5 * SECOND_MS;
const PROBE_MS_MAX = 60 * SECOND_MS;

const FAILURES_TO_DISABLE = 25;
const FAILING_MS_TO_DISABLE = 24 * 60 * 60 * SECOND_MS;
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

/** Updates failure count, pause and status of a webhook after an attempt. */
export function afterAttempt<W extends WebhookState>(webhook: W, result: AttemptResult): W {
  const { atMs, error, code } = result;
  if (error === '') {
    const healthy = { failures: 0, failing_since: null, paused_until: 0, last_error: '' };
    return { ...webhook, ...healthy, last_delivery_at: atMs };
  }
  const failures = webhook.failures + 1;
  const since = webhook.failing_since ?? atMs;
  const isTooMuch = failures >= FAILURES_TO_DISABLE && atMs - since >= FAILING_MS_TO_DISABLE;
  return {
    ...webhook,
    failures,
    failing_since: since,
    paused_until: atMs + Math.max(probeAfterMs(failures), result.retryAfterMs ?? 0),
    status: isTooMuch || code === GONE ? 'disabled' : webhook.status,
    last_error: error,
    last_delivery_at: atMs,
  };
}

/** Resets the failures of a webhook that an admin activates. */
export function reactivated(webhook: WebhookState): WebhookState {
  const fresh = { failures: 0, failing_since: null, paused_until: 0, last_error: '' };
  return { ...webhook, ...fresh, status: 'active' };
}

function probeAfterMs(failures: number): number {
  if (!isDown(failures)) return 0;
  return Math.min(PROBE_MS_MIN * 2 ** (failures - FAILURES_TO_PROBE), PROBE_MS_MAX);
}
