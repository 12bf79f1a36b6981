import type { Site } from '../../../kernel/declare/site.ts';
import { messageBody, messageId, signedHeaders } from '../../../shared/standard-webhooks.ts';
import { TransportError } from '../../../shared/transport-error.ts';
import { clientOf } from './client.ts';
import type { DueDelivery } from './delivery-store.ts';
import type { Sign } from './health.ts';
import { retryAfterMs } from './retry-schedule.ts';

export const EXCHANGE_MS_MAX = 15_000;

/** Where to, and the secret to sign with. */
export interface Target {
  readonly url: URL;
  readonly secret: string;
}

export interface Outcome extends Sign {
  readonly durationMs: number;
}

/** Makes one attempt. Whatever comes of it is an outcome; nothing is thrown. */
export async function send(
  site: Site,
  target: Target,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const begunMs = performance.now();
  const id = messageId(delivery.event_id);
  const body = messageBody({
    type: delivery.event,
    id: delivery.event_id,
    occurredAtMs: delivery.occurred_at,
    data: delivery.data,
  });
  const headers = signedHeaders(target.secret, { id, body, nowMs: site.clock() });
  const sign = await post(site, target, { headers, body, timeoutMs: EXCHANGE_MS_MAX, signal });
  return { ...sign, durationMs: Math.round(performance.now() - begunMs) };
}

async function post(
  site: Site,
  { url }: Target,
  message: Parameters<ReturnType<typeof clientOf>['post']>[1],
): Promise<Sign> {
  try {
    const { status, retryAfter } = await clientOf(site).post(url, message);
    const isGood = status >= 200 && status < 300;
    const atMs = site.clock();
    return {
      atMs,
      code: status,
      error: isGood ? '' : `The receiver answered ${status}.`,
      retryAfterMs: isGood ? undefined : retryAfterMs(retryAfter, atMs),
    };
  } catch (error) {
    if (!(error instanceof TransportError)) {
      site.log.error({ err: error }, 'a webhook delivery failed in an unknown way');
    }
    const words = error instanceof TransportError ? error.message : 'The delivery failed.';
    return { atMs: site.clock(), code: null, error: words, retryAfterMs: undefined };
  }
}
