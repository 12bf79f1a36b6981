import type { IncomingHttpHeaders } from 'node:http';
import { invalidParameter } from '../kernel/call/parameters.ts';

/** Visible characters of ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The header `Idempotency-Key`, checked. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'] as string | undefined;
  if (key === undefined || KEY.test(key)) return key;
  throw invalidParameter('idempotency-key', 'must be 1 to 255 visible ASCII characters');
}
