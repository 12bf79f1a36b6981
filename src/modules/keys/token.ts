import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../../shared/secrets.ts';

/**
 * A token is `svc_`, 40 random base62 characters and 6 characters of checksum. The checksum rejects a
 * mistyped or invented key without a query, and scanners recognise a leaked key by its shape.
 */
const SHAPE = /^svc_[0-9A-Za-z]{46}$/;
const PREFIX_LENGTH = 12;

export function makeToken(): string {
  const body = `svc_${randomBase62(40)}`;
  return body + checksum(body);
}

export function isWellFormed(token: string): boolean {
  return SHAPE.test(token) && checksum(token.slice(0, -6)) === token.slice(-6);
}

export function prefixOf(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

function checksum(body: string): string {
  return toBase62(crc32(body), 6);
}
