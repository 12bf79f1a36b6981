import type { WebhookState } from '../webhook-store.ts';

const SECOND_MS = 1_000;

/** From so many failures in a row on a receiver counts as down: it is probed, one at a time. */
export const FAILURES_TO_PROBE = 3;
const PROBE_MS_MIN = 5 * SECOND_MS;
const PROBE_MS_MAX = 60 * SECOND_MS;

export const FAILURES_TO_DISABLE = 25;
export const FAILING_MS_TO_DISABLE = 24 * 60 * 60 * SECOND_MS;
/** "Gone": the receiver wants nothing any more. */
export const GONE = 410;

/** What an attempt says about the receiver. */
export interface Sign {
  readonly atMs: number;
  /** Null where no answer came. */
  readonly code: number | null;
  /** Empty when it went well. */
  readonly error: string;
  readonly retryAfterMs: number | undefined;
}

export function isDown(failures: number): boolean {
  return failures >= FAILURES_TO_PROBE;
}

/** The webhook after an attempt: its counter, its pause, and whether that was enough. */
export function afterAttempt<W extends WebhookState>(webhook: W, sign: Sign): W {
  const { atMs, error, code } = sign;
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
    paused_until: atMs + Math.max(probeAfterMs(failures), sign.retryAfterMs ?? 0),
    status: isTooMuch || code === GONE ? 'disabled' : webhook.status,
    last_error: error,
    last_delivery_at: atMs,
  };
}

/** Activated by a person: as if nothing had been. */
export function reactivated(webhook: WebhookState): WebhookState {
  const fresh = { failures: 0, failing_since: null, paused_until: 0, last_error: '' };
  return { ...webhook, ...fresh, status: 'active' };
}

function probeAfterMs(failures: number): number {
  if (!isDown(failures)) return 0;
  return Math.min(PROBE_MS_MIN * 2 ** (failures - FAILURES_TO_PROBE), PROBE_MS_MAX);
}
