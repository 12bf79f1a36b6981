import { createHash, createHmac } from 'node:crypto';
import { sameSecret } from '../../../../src/shared/secrets.ts';
import { failed, isObject, objectOf, parsedJson, refused } from '../../mapping/payload.ts';
import type {
  Connector,
  Mapped,
  RawDelivery,
  StoreOrder,
  Verdict,
  Verification,
} from '../connector.ts';

const SIGNATURE = 'x-tributary-signature';
const TOPIC = 'x-tributary-topic';

/** A store whose own code sends orders in the shape of `PUT /orders`, signed, without an API key. */
export const http: Connector = {
  kind: 'http',
  label: 'Your own store',
  credentials: [],
  headersKept: [SIGNATURE, TOPIC],
  verify,
  toOrder,
  exampleDelivery(connection, { code, total, currency }) {
    const now = new Date(connection.nowMs).toISOString();
    const order: StoreOrder = {
      external_id: 'TEST-ORDER',
      date: now,
      date_modified: now,
      status: 'completed',
      currency,
      subtotal: total,
      discount: 0,
      shipping: 0,
      tax: 0,
      fees: 0,
      total,
      coupon_codes: [code],
      items: [],
      refunds: [],
    };
    const body = Buffer.from(JSON.stringify(order));
    return { headers: { [SIGNATURE]: signatureOf(body, connection.secrets[0] ?? '') }, body };
  },
};

function verify({ headers, body }: RawDelivery, { secrets }: Verification): Verdict {
  const signature = headers[SIGNATURE];
  if (signature === undefined) return refused(`The header ${SIGNATURE} is missing.`);
  if (!secrets.some((secret) => sameSecret(signature.toLowerCase(), signatureOf(body, secret)))) {
    return refused('The signature does not belong to this body and secret.');
  }
  const { external_id: externalId } = objectOf(parsedJson(body));
  return {
    outcome: 'genuine',
    topic: headers[TOPIC] ?? 'order',
    externalId: isId(externalId) ? String(externalId) : null,
    dedupeKey: createHash('sha256').update(body).digest('base64url'),
  };
}

function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

/** The add-on checks the fields as `PUT /orders` does. */
function toOrder(payload: unknown): Mapped {
  if (!isObject(payload)) return failed('The payload is not an order: it must be a JSON object.');
  const { external_id, deleted, ...rest } = payload;
  if (!isId(external_id))
    return failed("The order lacks external_id, the store's id of the order.");
  const id = String(external_id);
  if (deleted === true) {
    return { result: 'gone', externalId: id, reason: 'The store has deleted the order.' };
  }
  if (typeof rest['date_modified'] !== 'string') {
    return failed('The order lacks date_modified, which orders its versions.');
  }
  // `checkMapping` refuses what is not an order.
  return { result: 'order', order: { ...rest, external_id: id } as StoreOrder };
}
