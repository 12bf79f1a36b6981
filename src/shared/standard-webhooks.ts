import { createHmac, randomBytes } from 'node:crypto';
import { NoEntropyError } from './secrets.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A signing secret in the notation of Standard Webhooks. */
export function makeSigningSecret(): string {
  try {
    return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
  } catch (cause) {
    throw new NoEntropyError('The system gave no secure random bytes', { cause });
  }
}

/** The headers of a signed delivery: https://www.standardwebhooks.com */
export function signedHeaders(
  secret: string,
  { id, body, nowMs }: { id: string; body: string; nowMs: number },
): Record<string, string> {
  const headers = unsignedHeaders({ id, nowMs });
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key)
    .update(`${id}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64');
  return { ...headers, 'webhook-signature': `v1,${signature}` };
}

/** The same without the signature, to show them later. */
export function unsignedHeaders({ id, nowMs }: { id: string; nowMs: number }) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Tributary-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
  };
}

export interface WebhookMessage {
  type: string;
  /** The position in the feed. */
  id: number;
  occurredAtMs: number;
  /** JSON. */
  data: string;
}

/** The body is the same for every attempt, so that receivers can compare it. */
export function messageBody({ type, id, occurredAtMs, data }: WebhookMessage): string {
  const timestamp = new Date(occurredAtMs).toISOString();
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","id":${id},"data":${data}}`;
}

/** The id by which a receiver recognises a repeated delivery. */
export function messageId(feedId: number): string {
  return `evt_${feedId}`;
}
