import type { WebhookMessage } from './generated/schemas.ts';

/** The headers of a request, as frameworks and runtimes hold them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How many seconds the time of the delivery may differ from the clock here; 300 by default. */
  tolerance?: number;
}

/** The request does not come from the service, or is not fresh. Answer it with 400 and nothing else. */
export class WebhookError extends Error {
  override readonly name: string = 'WebhookError';
}

const PREFIX = 'whsec_';
const encoder = new TextEncoder();

/**
 * Checks the signature of a delivery (Standard Webhooks) and returns its message. Give the body as it
 * arrived, before any parsing, and all secrets that are valid during a change of the secret.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = 300 }: VerifyOptions = {},
): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = signaturesOf(headerOf(headers, 'webhook-signature'));
  const ageSeconds = Date.now() / 1000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (!(Math.abs(ageSeconds) <= tolerance)) throw new WebhookError('The delivery is not fresh');

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = new Uint8Array([...encoder.encode(`${id}.${timestamp}.`), ...bytes]);
  const all = typeof secrets === 'string' ? [secrets] : secrets;
  const keys = await Promise.all(all.map(keyOf));
  let isGenuine = false;
  for (const key of keys) {
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) isGenuine = true;
    }
  }
  if (!isGenuine) throw new WebhookError('No signature is that of a given secret');
  // The holder of the secret is the service, which sends the messages of the contract.
  return JSON.parse(text) as WebhookMessage;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (!text) throw new WebhookError(`The header ${name} is missing`);
  return text;
}

/** `v1,<base64> v1,<base64>`; other versions are passed over. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .flatMap((one) => fromBase64(one.slice(3)) ?? []);
}

function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError('A webhook secret is whsec_ followed by base64');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
