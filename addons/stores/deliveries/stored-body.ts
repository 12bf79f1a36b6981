import { isUtf8 } from 'node:buffer';
import type { DeliveryRow } from './delivery-rows.ts';

type StoredBody = Pick<DeliveryRow, 'body' | 'is_base64'>;

/** PostgreSQL stores no NUL in text. */
export function toStoredBody(bytes: Buffer): StoredBody {
  return isUtf8(bytes) && !bytes.includes(0)
    ? { body: bytes.toString(), is_base64: 0 }
    : { body: bytes.toString('base64'), is_base64: 1 };
}

/** The parsed payload; undefined if the body is not JSON. */
export function payloadOf({
  body,
  is_base64,
}: StoredBody): { readonly payload: unknown } | undefined {
  try {
    const text = is_base64 ? Buffer.from(body, 'base64').toString() : body;
    return { payload: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
