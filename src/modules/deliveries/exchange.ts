import type { SiteClient } from '../../kernel/call/site-client.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { GuardedRequest } from '../../shared/guarded-client.ts';
import type { GuardedResponse } from '../../shared/guarded-exchange.ts';
import { TransportError } from '../../shared/transport-error.ts';
import type { AttemptResult } from './health.ts';
import { retryAfterMs } from './retry-schedule.ts';

const BODY_MAX = 1_000;
const HEADER_MAX = 200;

/** Headers that help to find the cause of an error; all others, such as cookies, are dropped. */
const HEADERS = [
  'content-type',
  'content-length',
  'date',
  'location',
  'retry-after',
  'server',
  'x-request-id',
];

/** An answer as it is stored. */
export interface StoredAnswer {
  /** A JSON object. */
  readonly headers: string;
  readonly body: string;
}

function storedAnswer({ headers, text }: GuardedResponse): StoredAnswer {
  const kept = HEADERS.flatMap((name) => {
    const value = headers[name]?.toString();
    return value === undefined ? [] : [[name, storable(value, HEADER_MAX)] as const];
  });
  return { headers: JSON.stringify(Object.fromEntries(kept)), body: storable(text, BODY_MAX) };
}

/** The beginning of a text, without what a database cannot store. */
function storable(text: string, max: number): string {
  return text.slice(0, max).replaceAll('\0', '\uFFFD').toWellFormed();
}

export const EXCHANGE_MS_MAX = 15_000;

/** One request to a receiver. */
export interface DeliveryRequest extends Pick<GuardedRequest, 'method' | 'headers' | 'body'> {
  readonly url: URL;
}

export interface DeliveryResult extends AttemptResult {
  readonly durationMs: number;
  /** What the receiver answered to a failed attempt; undefined if there was no response. */
  readonly answer: StoredAnswer | undefined;
}

/** Makes one attempt. Returns errors as a result and never throws. */
export async function exchange(
  site: Site,
  client: SiteClient,
  request: DeliveryRequest,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const startedMs = performance.now();
  const result = await attempt(site, client, request, signal);
  return { ...result, durationMs: Math.round(performance.now() - startedMs) };
}

async function attempt(
  site: Site,
  client: SiteClient,
  { url, ...request }: DeliveryRequest,
  signal: AbortSignal,
): Promise<Omit<DeliveryResult, 'durationMs'>> {
  try {
    const response = await client
      .of(site)
      .request(url, { ...request, timeoutMs: EXCHANGE_MS_MAX, signal, readsText: true });
    const { status, retryAfter } = response;
    const isGood = status >= 200 && status < 300;
    const atMs = site.clock();
    return {
      atMs,
      code: status,
      error: isGood ? '' : `The receiver answered ${status}.`,
      retryAfterMs: isGood ? undefined : retryAfterMs(retryAfter, atMs),
      answer: isGood ? undefined : storedAnswer(response),
    };
  } catch (error) {
    if (!(error instanceof TransportError)) {
      site.log.error({ err: error }, 'a delivery failed with an unexpected error');
    }
    const words = error instanceof TransportError ? error.message : 'The delivery failed.';
    return {
      atMs: site.clock(),
      code: null,
      error: words,
      retryAfterMs: undefined,
      answer: undefined,
    };
  }
}
