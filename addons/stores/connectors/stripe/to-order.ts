import {
  failed,
  ignored,
  mappedOrFailed,
  objectOf,
  textOf,
  type Json,
} from '../../mapping/payload.ts';
import type { Mapped, MappingContext } from '../connector.ts';
import { toPurchaseOrder } from './order.ts';
import { idOf, purchaseIn, purchaseOfSession } from './purchase.ts';

/** The events that a connection needs, each with the field of its object that leads to the purchase. */
const REFERENCES: Readonly<Record<string, 'id' | 'payment_intent'>> = {
  'checkout.session.completed': 'id',
  'checkout.session.async_payment_succeeded': 'id',
  'checkout.session.async_payment_failed': 'id',
  'invoice.paid': 'id',
  'invoice.voided': 'id',
  'charge.refunded': 'payment_intent',
  'refund.failed': 'payment_intent',
  'charge.dispute.created': 'payment_intent',
  'charge.dispute.closed': 'payment_intent',
};

export const eventTypes: readonly string[] = Object.keys(REFERENCES);

/**
 * Maps a purchase that was put together by calls, or an event. Events have ids where an order needs the code, the
 * lines and the refunds, so the purchase is requested; only a payment of Checkout can be read without.
 */
export function toOrder(payload: unknown, context: MappingContext): Mapped {
  return mappedOrFailed(() => {
    const body = objectOf(payload);
    const purchase = purchaseIn(body);
    return purchase ? toPurchaseOrder(purchase, context) : toEvent(body, context);
  });
}

function toEvent(event: Json, context: MappingContext): Mapped {
  const type = textOf(event['type']) ?? '';
  if (!(type in REFERENCES)) {
    return ignored(`The event "${type.slice(0, 100)}" is not about orders.`);
  }
  const object = objectIn(event);
  const isSession = type.startsWith('checkout.session.');
  if (isSession && ('line_items' in object || !context.canAsk)) {
    return toPurchaseOrder(purchaseOfSession(object), context);
  }
  const externalId = referenceOf(event);
  if (externalId === undefined) {
    return ignored('The payment was made neither by Checkout nor by an invoice.');
  }
  if (!context.canAsk) {
    return failed(
      `The event "${type}" names only a payment. Enter the secret key of Stripe, and try again.`,
    );
  }
  return { result: 'ask', externalId, reason: 'Only Stripe has the code and all figures.' };
}

/** The id that `fetchOrder` needs: of a session, an invoice or a payment. */
export function referenceOf(event: Json): string | undefined {
  const field = REFERENCES[textOf(event['type']) ?? ''];
  return field === undefined ? undefined : idOf(objectIn(event)[field]);
}

function objectIn(event: Json): Json {
  return objectOf(objectOf(event['data'])['object']);
}
