import { Currency } from '../../../../src/shared/money.ts';
import type { Connector } from '../connector.ts';
import { signatureOf } from './verify.ts';

/** A paid order of one product with a coupon, signed as the store would. */
export const exampleDelivery: Connector['exampleDelivery'] = (
  { secrets, url, nowMs },
  { code, total, currency },
) => {
  const now = new Date(nowMs).toISOString().slice(0, 19);
  const amount = total.toFixed(new Currency(currency).decimals);
  const order = {
    id: nowMs,
    status: 'completed',
    currency,
    date_created_gmt: now,
    date_modified_gmt: now,
    date_paid_gmt: now,
    discount_total: '0',
    shipping_total: '0',
    total: amount,
    total_tax: '0',
    line_items: [{ id: 1, product_id: 0, quantity: 1, subtotal: amount, total: amount }],
    coupon_lines: [{ id: 2, code: code.toLowerCase(), discount: '0' }],
    refunds: [],
  };
  const body = Buffer.from(JSON.stringify(order));
  return {
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-source': `${url}/`,
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-resource': 'order',
      'x-wc-webhook-event': 'created',
      'x-wc-webhook-signature': signatureOf(body, secrets[0]!),
      'x-wc-webhook-delivery-id': `test-${nowMs}`,
    },
    body,
  };
};
