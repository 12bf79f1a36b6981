import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { objectOf, parsedJson, refused } from '../../mapping/payload.ts';
import type { RawDelivery, Verdict, Verification } from '../connector.ts';
import { idIn, instantIn } from './payload.ts';

/** The headers of a delivery that are kept with it. */
export const headersKept = [
  'x-wc-webhook-topic',
  'x-wc-webhook-id',
  'x-wc-webhook-delivery-id',
  'x-wc-webhook-source',
] as const;

/** Sent unsigned, without a topic, when a webhook is created or gets another address. */
const PING = /^webhook_id=\d{1,20}$/;

export function verify({ headers, body }: RawDelivery, connection: Verification): Verdict {
  const topic = headers['x-wc-webhook-topic'];
  if (topic === undefined && body.length < 40 && PING.test(body.toString('latin1'))) {
    return { outcome: 'ping' };
  }
  const signature = headers['x-wc-webhook-signature'];
  if (signature === undefined) return refused('The delivery has no signature.');
  if (!isSigned(body, signature, connection.secrets)) {
    return refused('The signature is wrong: the webhook in the shop has another secret.');
  }
  const source = hostOf(headers['x-wc-webhook-source']);
  const expected = hostOf(connection.url);
  if (source !== undefined && expected !== undefined && source !== expected) {
    // A copy of a store, such as one for tests, keeps the webhooks and their secrets of the original.
    return refused(`The delivery comes from ${source}, but this connection is for ${expected}.`);
  }
  const content = contentOf(body);
  return {
    outcome: 'genuine',
    topic: topic ?? '',
    externalId: content.externalId,
    dedupeKey: dedupeKeyOf(headers, body, content.isVersioned),
  };
}

export function signatureOf(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

function isSigned(body: Buffer, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature, 'base64');
  let isEqual = false;
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(body).digest();
    if (given.length === expected.length && timingSafeEqual(given, expected)) isEqual = true;
  }
  return isEqual;
}

/** Without `www.`, which stores add and remove. */
function hostOf(address: string | undefined): string | undefined {
  return URL.parse(address ?? '')?.hostname.replace(/^www\./, '');
}

/** A body with the time of its version is the same only if it is the same version. */
function contentOf(body: Buffer): { externalId: string | null; isVersioned: boolean } {
  const content = objectOf(parsedJson(body));
  const isVersioned = instantIn(content, 'date_modified_gmt') !== undefined;
  return { externalId: idIn(content) ?? null, isVersioned };
}

/**
 * An order is sent twice at the checkout, as updated and as created, with the same body: both have the same key.
 * `{"id": 40}` says that an order was deleted, and does so again after it was restored; only the delivery id, which is
 * the same for all deliveries of a second, tells the two apart.
 */
function dedupeKeyOf(headers: RawDelivery['headers'], body: Buffer, isVersioned: boolean): string {
  const about = isVersioned
    ? (headers['x-wc-webhook-resource'] ?? '')
    : `${headers['x-wc-webhook-topic']} ${headers['x-wc-webhook-delivery-id']}`;
  return createHash('sha256').update(`${about}\n`).update(body).digest('base64url');
}
