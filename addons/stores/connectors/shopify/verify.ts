import { createHash, createHmac } from 'node:crypto';
import { sameSecret } from '../../../../src/shared/secrets.ts';
import { objectOf, parsedJson, refused } from '../../mapping/payload.ts';
import type { RawDelivery, Verdict, Verification } from '../connector.ts';
import { orderIdOf } from './to-order.ts';

/** Shopify has two sets of header names, the second without the `x-`. */
const HEADERS = ['topic', 'hmac-sha256', 'shop-domain', 'webhook-id', 'event-id', 'triggered-at'];

export const headersKept: readonly string[] = HEADERS.flatMap((name) => [
  `x-shopify-${name}`,
  `shopify-${name}`,
]);

/**
 * Deliveries of webhooks that an app made are signed with its client secret, and those made on the page
 * "Notifications" with the key shown there, which is the secret of the connection. Either is accepted.
 */
export function verify({ headers, body }: RawDelivery, connection: Verification): Verdict {
  const header = (name: string) => headerOf(headers, name);
  const signature = header('hmac-sha256');
  if (!signature) return refused('The delivery has no signature of Shopify.');
  const keys = keysOf(connection);
  if (keys.length === 0) {
    return refused(
      'The connection has neither the client secret nor the key of the notifications.',
    );
  }
  // Every key is tried, so that the time does not tell which one fits.
  const matches = keys.map((key) => sameSecret(signature.trim(), signatureOf(body, key)));
  if (!matches.includes(true)) {
    return refused(
      'The signature fits neither the client secret nor the key of the notifications.',
    );
  }
  const store = header('shop-domain')?.toLowerCase();
  if (store !== undefined && isOtherStore(store, connection.url)) {
    return refused(`The delivery is from another shop, ${store.slice(0, 100)}.`);
  }
  const topic = header('topic') ?? '';
  return {
    outcome: 'genuine',
    topic,
    externalId: orderIdOf(objectOf(parsedJson(body)), topic) ?? null,
    // Not the webhook id, which is not signed: the same body under another id is the same delivery.
    dedupeKey: createHash('sha256').update(`${topic}\n`).update(body).digest('base64url'),
  };
}

/** Shopify sends what failed again for hours, with the body of the first time. */
export function sentAt(headers: RawDelivery['headers']): number | undefined {
  const ms = Date.parse(headerOf(headers, 'triggered-at') ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

function headerOf(headers: RawDelivery['headers'], name: string): string | undefined {
  return headers[`x-shopify-${name}`] ?? headers[`shopify-${name}`];
}

export function signatureOf(body: Buffer, key: string): string {
  return createHmac('sha256', key).update(body).digest('base64');
}

export function keysOf({ secrets, credentials }: Verification): string[] {
  return [...secrets, credentials['client_secret']].flatMap((key) => (key ? [key] : []));
}

function isOtherStore(store: string, url: string): boolean {
  const own = URL.parse(url)?.hostname;
  return own !== undefined && own.endsWith('.myshopify.com') && own !== store;
}
