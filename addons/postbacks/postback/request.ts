import { signedHeaders } from '../../../src/shared/standard-webhooks.ts';
import { withValues } from './macros.ts';
import type { OrderMessage } from './order-values.ts';
import type { PostbackRow } from './postback-rows.ts';

const USER_AGENT = { 'user-agent': 'Tributary-Postbacks/1' };

/** What a request is made of besides the order. */
export type PostbackTarget = Pick<PostbackRow, 'url' | 'method' | 'format'> & {
  /** Decrypted; empty for macros. */
  readonly secret: string;
};

/** The request for a change of an order. */
export function requestOf(
  target: PostbackTarget,
  message: OrderMessage,
  { nowMs, decimals }: { nowMs: number; decimals: number },
) {
  const url = withValues(target.url, message, decimals);
  if (target.format === 'macros') return { method: target.method, url, headers: USER_AGENT };
  const body = jsonBody(message);
  // The order is the same for several messages, so their id names the event as well.
  const id = `evt_${message.eventId}_${message.status}`;
  const headers = { ...signedHeaders(target.secret, { id, body, nowMs }), ...USER_AGENT };
  return { method: 'POST' as const, url, headers, body };
}

/** The body is the same for every attempt, so that receivers can compare it. */
function jsonBody({ values, status, occurredAtMs }: OrderMessage): string {
  const timestamp = new Date(occurredAtMs).toISOString();
  return JSON.stringify({
    type: `order.${status}`,
    timestamp,
    id: values.id,
    data: { status, ...values },
  });
}
