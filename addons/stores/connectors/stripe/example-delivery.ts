import type { Connector } from '../connector.ts';
import { toStripeAmount } from './stripe-money.ts';
import { SIGNATURE_HEADER, signatureOf } from './verify.ts';

/** A payment of Checkout with a promotion code and its lines, signed like an event of Stripe. */
export const exampleDelivery: Connector['exampleDelivery'] = (
  { secrets, nowMs },
  { code, total, currency },
) => {
  const [secret] = secrets;
  if (secret === undefined) throw new Error('Enter the signing secret of the webhook first.');
  const created = Math.floor(nowMs / 1_000);
  const amount = toStripeAmount(total, currency);
  const session = {
    id: `cs_test_tributary_${nowMs}`,
    object: 'checkout.session',
    mode: 'payment',
    status: 'complete',
    payment_status: 'paid',
    payment_intent: `pi_tributary_${nowMs}`,
    created,
    currency: currency.toLowerCase(),
    amount_subtotal: amount,
    amount_total: amount,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    client_reference_id: null,
    metadata: {},
    discounts: [{ coupon: null, promotion_code: { object: 'promotion_code', code } }],
    line_items: {
      object: 'list',
      has_more: false,
      data: [
        {
          id: 'li_tributary',
          quantity: 1,
          amount_subtotal: amount,
          amount_total: amount,
          amount_tax: 0,
          amount_discount: 0,
          price: { product: 'prod_tributary' },
        },
      ],
    },
  };
  const event = {
    id: `evt_tributary_${nowMs}`,
    object: 'event',
    type: 'checkout.session.completed',
    created,
    data: { object: session },
  };
  const body = Buffer.from(JSON.stringify(event));
  const signature = signatureOf(body, secret, String(created));
  return {
    headers: {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: `t=${created},v1=${signature}`,
    },
    body,
  };
};
