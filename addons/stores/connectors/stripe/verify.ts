import { createHmac } from 'node:crypto';
import { sameSecret } from '../../../../src/shared/secrets.ts';
import { objectOf, parsedJson, refused, textOf } from '../../mapping/payload.ts';
import type { RawDelivery, Verdict, Verification } from '../connector.ts';
import { referenceOf } from './to-order.ts';

export const SIGNATURE_HEADER = 'stripe-signature';

/** Stripe signs every attempt, so an old signature is a repeated request, or one of the clocks is wrong. */
const TOLERANCE_S = 300;

/**
 * Checks `Stripe-Signature` like `constructEvent` of the Stripe SDK, against which the tests compare it. The SDK
 * itself is not used: it would have to be loaded with the service, also where no account of Stripe is connected.
 */
export function verify({ headers, body }: RawDelivery, connection: Verification): Verdict {
  const { timestamp, signatures } = parseHeader(headers[SIGNATURE_HEADER] ?? '');
  if (timestamp === undefined || signatures.length === 0) {
    return refused('The delivery has no signature of Stripe.');
  }
  const { secrets } = connection;
  if (secrets.length === 0) return refused('The connection has no signing secret.');
  const expected = secrets.map((key) => signatureOf(body, key, timestamp));
  const matches = expected.flatMap((one) => signatures.map((other) => sameSecret(one, other)));
  if (!matches.includes(true)) {
    return refused('The signature does not fit the signing secret of the connection.');
  }
  const ageS = Math.floor(connection.nowMs / 1_000) - Number(timestamp);
  if (Math.abs(ageS) > TOLERANCE_S) {
    const minutes = Math.round(Math.abs(ageS) / 60);
    return refused(
      `The signature is ${minutes} minutes ${ageS > 0 ? 'old' : 'in the future'}. ` +
        'If this happens to every delivery, set the clock of this server.',
    );
  }
  const event = objectOf(parsedJson(body));
  return {
    outcome: 'genuine',
    topic: textOf(event['type']) ?? '',
    externalId: referenceOf(event) ?? null,
    dedupeKey: textOf(event['id']) ?? signatureOf(body, secrets[0]!, '0'),
  };
}

export function signatureOf(body: Buffer, key: string, timestamp: string): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
}

/** `t=1492774577,v1=5257a8…,v1=…,v0=…`: several of `v1` while a secret is being replaced. */
function parseHeader(header: string): { timestamp: string | undefined; signatures: string[] } {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) =>
    parts.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const timestamp = valuesOf('t').find((value) => /^\d{1,12}$/.test(value));
  return { timestamp, signatures: valuesOf('v1') };
}
