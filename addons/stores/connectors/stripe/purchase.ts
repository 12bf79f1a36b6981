import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';

/** A payment of Checkout, or an invoice, with everything that an order needs: the answers of several calls. */
export interface Purchase {
  readonly object: typeof PURCHASE;
  /** The Checkout session; of an invoice, the one that began its subscription. */
  readonly session: Json | null;
  /** Null for a payment of Checkout. Neither this nor a session: a payment that is neither. */
  readonly invoice: Json | null;
  readonly subscription: Json | null;
  readonly lines: readonly Json[];
  /** The payment with its charge and balance transaction. */
  readonly payment: Json | null;
  readonly refunds: readonly Json[];
  readonly disputes: readonly Json[];
}

export const PURCHASE = 'tributary.purchase';

/** The purchase that a payload is; undefined if it is an event. */
export function purchaseIn(payload: Json): Purchase | undefined {
  if (payload['object'] !== PURCHASE) return undefined;
  const part = (name: string) => (payload[name] ? objectOf(payload[name]) : null);
  return {
    object: PURCHASE,
    session: part('session'),
    invoice: part('invoice'),
    subscription: part('subscription'),
    payment: part('payment'),
    lines: objectsOf(payload['lines']),
    refunds: objectsOf(payload['refunds']),
    disputes: objectsOf(payload['disputes']),
  };
}

/** A purchase of which nothing is known. */
export const UNRELATED: Purchase = {
  object: PURCHASE,
  session: null,
  invoice: null,
  subscription: null,
  lines: [],
  payment: null,
  refunds: [],
  disputes: [],
};

/** A session with its lines, such as the one of a test order, needs no further calls. */
export function purchaseOfSession(session: Json): Purchase {
  const payment = session['payment_intent'];
  return {
    ...UNRELATED,
    session,
    payment: typeof payment === 'object' ? objectOf(payment) : null,
    lines: objectsOf(objectOf(session['line_items'])['data']),
  };
}

/** The id of an object that Stripe has expanded or not. */
export function idOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(objectOf(value)['id']);
}
