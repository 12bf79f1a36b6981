import { Currency } from '../../../../src/shared/money.ts';
import type { Connector } from '../connector.ts';
import { keysOf, signatureOf } from './verify.ts';

/** A paid order of one product with a code, signed like a delivery of Shopify. */
export const exampleDelivery: Connector['exampleDelivery'] = (
  connection,
  { code, total, currency },
) => {
  const [key] = keysOf(connection);
  if (key === undefined) {
    throw new Error('Enter the client secret or the key of the notifications first.');
  }
  const amount = total.toFixed(new Currency(currency).decimals);
  const at = new Date(connection.nowMs).toISOString();
  const order = {
    // Real ids have thirteen digits and more.
    id: connection.nowMs,
    name: '#TEST',
    created_at: at,
    processed_at: at,
    updated_at: at,
    currency,
    financial_status: 'paid',
    fulfillment_status: 'fulfilled',
    cancelled_at: null,
    test: false,
    taxes_included: false,
    subtotal_price: amount,
    current_subtotal_price: amount,
    total_price: amount,
    total_tax: '0.00',
    discount_codes: [{ code, amount: '0.00', type: 'percentage' }],
    landing_site: '/',
    line_items: [
      {
        id: 1,
        product_id: 1,
        quantity: 1,
        current_quantity: 1,
        price: amount,
        requires_shipping: true,
      },
    ],
    refunds: [],
  };
  const body = Buffer.from(JSON.stringify(order));
  return {
    headers: {
      'content-type': 'application/json',
      'x-shopify-topic': 'orders/create',
      'x-shopify-hmac-sha256': signatureOf(body, key),
      ...(URL.canParse(connection.url) && {
        'x-shopify-shop-domain': new URL(connection.url).hostname,
      }),
    },
    body,
  };
};
