import type { IncomingHttpHeaders } from 'node:http';
import { defineError } from '../declare/errors.ts';
import type { Operation } from '../declare/operation.ts';
import { invalidParameter } from './parameters.ts';

export const idempotencyMismatch = defineError(
  'svc_api_idempotency_mismatch',
  409,
  'This Idempotency-Key was already used for another request.',
);

/** Visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Whether an operation accepts the header `Idempotency-Key`; the others ignore it. */
export function takesIdempotencyKey(operation: Operation): boolean {
  return operation.method === 'POST' && operation.namespace !== 'site';
}

export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  // Node joins repeated headers of this name with a comma, so it is never an array.
  const key = headers['idempotency-key'] as string | undefined;
  if (key === undefined || KEY.test(key)) return key;
  throw invalidParameter('idempotency-key', 'must be 1 to 255 visible ASCII characters');
}
