import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inclusive, orderOf, paid, refund } from '../../test/shopify/samples.ts';
import { changeIn } from './refund-notice.ts';

describe('a refund by itself changes the stored order like the complete order', () => {
  // What is left of the goods is not what it was, and is not needed.
  const without = { current_subtotal_price: null, current_subtotal_price_set: null };
  const known = orderOf(paid);

  test('of a line', () => {
    const change = changeIn(refund, 'refunds/create', known);
    assert.deepEqual(change, {
      refunds: orderOf({ ...paid, ...without, refunds: [refund] }).refunds,
    });
    assert.equal(change.refunds.length, 1);
  });

  test('of a line whose price includes tax, paid in another currency', () => {
    const [line] = inclusive.line_items;
    const order = { ...inclusive, ...without, refunds: [] };
    const money = (amount: string) => ({
      shop_money: { amount, currency_code: inclusive.currency },
      presentment_money: { amount: '1.00', currency_code: 'JPY' },
    });
    const returned = {
      id: 7,
      order_id: inclusive.id,
      created_at: '2026-09-20T09:15:00-04:00',
      refund_line_items: [
        {
          line_item_id: line.id,
          line_item: line,
          quantity: line.quantity,
          subtotal_set: money(line.price),
          total_tax_set: money(line.tax_lines[0].price),
        },
      ],
      order_adjustments: [],
      transactions: [{ kind: 'refund', status: 'success', amount: '5000', currency: 'JPY' }],
    };
    const whole = orderOf({ ...order, refunds: [{ ...returned, transactions: [] }] });
    assert.deepEqual(changeIn(returned, 'refunds/create', orderOf(order))!.refunds, whole.refunds);
  });

  test('not twice, and not by another topic', () => {
    const refunded = orderOf({ ...paid, refunds: [refund] });
    assert.equal(changeIn(refund, 'refunds/create', refunded), undefined);
    assert.equal(changeIn(refund, 'orders/edited', known), undefined);
    assert.equal(changeIn({}, 'refunds/create', known), undefined);
  });
});
