import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inclusive, orderOf, paid, refund } from '../../test/shopify/samples.ts';

describe('an order of Shopify', () => {
  test('has the amounts of the shop, goods without tax, and the code', () => {
    assert.deepEqual(orderOf(paid), {
      external_id: '5814203449562',
      number: '1042',
      date: '2026-09-14T15:02:39.000Z',
      date_modified: '2026-09-14T15:02:43.000Z',
      status: 'processing',
      currency: 'USD',
      subtotal: 200,
      discount: 20,
      shipping: 9.9,
      tax: 14.4,
      fees: 0,
      total: 204.3,
      coupon_codes: ['MAYA10'],
      customer: { id: '7193318457562', email: 'nina.berg@customer.example', name: 'Nina Berg' },
      country: 'US',
      items: [
        {
          product_id: '8241771544794',
          name: 'Ridge tent',
          quantity: 2,
          subtotal: 160,
          total: 144,
        },
        { product_id: '8241771577562', name: 'Trail mat', quantity: 1, subtotal: 40, total: 36 },
      ],
      refunds: [],
      referral_code: 'JONAS',
    });
  });

  test('has prices without tax where the shop includes it, in the currency of the shop', () => {
    assert.partialDeepStrictEqual(orderOf(inclusive), {
      currency: 'EUR',
      subtotal: 100,
      discount: 0,
      shipping: 5,
      tax: 19.95,
      fees: 0,
      total: 124.95,
      items: [{ quantity: 1, subtotal: 100, total: 100 }],
    });
    const back = {
      ...refund,
      transactions: [{ ...refund.transactions[0], amount: '118.70', currency: 'CHF' }],
    };
    const order = orderOf({ ...inclusive, refunds: [{ ...back, refund_line_items: [] }] });
    assert.deepEqual([order.refunds[0]?.amount, order.status], [124.95, 'refunded']);
  });

  for (const [name, change, expected] of [
    ['paid and shipped', { fulfillment_status: 'fulfilled' }, 'completed'],
    ['paid and archived', { closed_at: '2026-09-15T00:00:00Z' }, 'completed'],
    [
      'paid, nothing to ship',
      { line_items: paid.line_items.map((line: any) => ({ ...line, requires_shipping: false })) },
      'completed',
    ],
    ['not paid yet', { financial_status: 'pending' }, 'pending'],
    ['authorized', { financial_status: 'authorized' }, 'pending'],
    ['voided', { financial_status: 'voided' }, 'cancelled'],
    ['expired', { financial_status: 'expired' }, 'failed'],
    ['refunded', { financial_status: 'refunded' }, 'refunded'],
    ['cancelled without refund', { cancelled_at: '2026-09-16T00:00:00Z' }, 'cancelled'],
  ] as const) {
    test(`${name}: ${expected}`, () => {
      assert.equal(orderOf({ ...paid, ...change }).status, expected);
    });
  }

  test('reads who sent the customer: cart attributes, then the landing page, then what Shopify recorded', () => {
    const codeOf = (change: object) => orderOf({ ...paid, ...change }).referral_code;
    const attributes = [{ name: 'ref', value: 'NOTED' }];
    assert.equal(codeOf({ note_attributes: attributes }), 'NOTED');
    assert.equal(codeOf({ landing_site: '/?via=OLD' }), 'OLD');
    assert.equal(codeOf({ landing_site: '/', landing_site_ref: 'R' }), 'R');
    assert.equal(codeOf({ landing_site: null, landing_site_ref: null }), undefined);
    const visited = orderOf({
      ...paid,
      landing_site: '/?click_id=7&visitor=abc',
      landing_site_ref: null,
    });
    assert.partialDeepStrictEqual(visited, { click_id: 7, visitor: 'abc' });
  });

  test('takes the link in the attributes of the cart alone: no click of the landing page', () => {
    const landing_site = '/?ref=FIRST&click_id=7&visitor=abc';
    const linkOf = (note_attributes: unknown) => {
      const order = orderOf({ ...paid, landing_site, note_attributes });
      return [order.referral_code, order.click_id, order.visitor];
    };
    const written = [
      { name: 'referral_code', value: 'LAST' },
      { name: 'visitor', value: 't.4c1fj20x8r5m7q3kz9wa' },
      { name: 'click_id', value: '' },
    ];
    assert.deepEqual(linkOf(written), ['LAST', undefined, 't.4c1fj20x8r5m7q3kz9wa']);
    // Attributes of others do not hide the landing page.
    assert.deepEqual(linkOf([{ name: 'click_id', value: '99' }]), ['FIRST', 7, 'abc']);
    assert.deepEqual(linkOf([{ name: 'Gift', value: 'yes' }]), ['FIRST', 7, 'abc']);
  });

  test('has the products of a refund by the money that was paid back', () => {
    const refunded = (change: object) =>
      orderOf({
        ...paid,
        current_subtotal_price_set: undefined,
        current_subtotal_price: '108.00',
        refunds: [{ ...refund, ...change }],
      }).refunds[0]!;
    const tent = '8241771544794';
    // The payment is still pending; the adjustment that balances it until then does not count.
    const pending = { order_adjustments: [{ amount: '77.76', kind: 'refund_discrepancy' }] };
    for (const change of [{}, pending]) {
      assert.deepEqual(refunded(change), {
        id: '948221083866',
        date: '2026-09-20T13:15:00.000Z',
        amount: 77.76,
        shipping: 0,
        tax: 5.76,
        items: [{ product_id: tent, quantity: 1, total: 72 }],
      });
    }
    const half = [{ ...refund.transactions[0], amount: '38.88' }];
    assert.partialDeepStrictEqual(refunded({ transactions: half }), {
      amount: 38.88,
      tax: 2.88,
      items: [{ product_id: tent, quantity: 0, total: 36 }],
    });
    const failed = [{ ...refund.transactions[0], status: 'failure' }];
    assert.partialDeepStrictEqual(refunded({ transactions: failed }), { amount: 0, items: [] });
    // Back in stock, and the customer got nothing.
    const stock = {
      transactions: [],
      order_adjustments: [{ amount: '72.00', tax_amount: '5.76' }],
    };
    assert.partialDeepStrictEqual(refunded(stock), { amount: 0, items: [] });
    // Only shipping, as older and newer versions of the API have it.
    const older = [{ amount: '-9.90', tax_amount: '0.00', kind: 'shipping_refund' }];
    const shipping = { transactions: [], refund_line_items: [], order_adjustments: older };
    const newer = { subtotal_amount_set: { shop_money: { amount: '9.90' } } };
    const lines = { ...shipping, order_adjustments: [], refund_shipping_lines: [newer] };
    for (const change of [shipping, lines]) {
      assert.partialDeepStrictEqual(refunded(change), { amount: 9.9, shipping: 9.9, items: [] });
    }
  });

  test('after an edit has what Shopify says is left', () => {
    const [tent, mat] = paid.line_items;
    // One of two tents was removed before payment, and no refund says so.
    const removed = { ...paid, line_items: [{ ...tent, current_quantity: 1 }, mat] };
    const left = { current_subtotal_price: '108.00', current_subtotal_price_set: undefined };
    assert.partialDeepStrictEqual(orderOf({ ...removed, ...left }), {
      items: [
        { quantity: 1, subtotal: 80, total: 72 },
        { quantity: 1, subtotal: 40, total: 36 },
      ],
      subtotal: 120,
      discount: 12,
    });
    // An added mat raises the total, which Shopify leaves as it was when the order was placed.
    const added = { ...mat, id: 3, discount_allocations: [], tax_lines: [] };
    const more = { current_subtotal_price: '220.00', current_subtotal_price_set: undefined };
    const edited = orderOf({ ...paid, ...more, line_items: [tent, mat, added] });
    assert.deepEqual([edited.subtotal, edited.discount, edited.total], [240, 20, 244.3]);
    // Where the lines do not explain it, the figure of Shopify counts, and no line.
    const other = { current_subtotal_price: '150.00', current_subtotal_price_set: undefined };
    assert.partialDeepStrictEqual(orderOf({ ...paid, ...other }), {
      subtotal: 150,
      discount: 0,
      items: [],
    });
  });

  test('of a thousand lines is stored with its products merged', () => {
    const [tent] = paid.line_items;
    const lines = Array.from({ length: 2_000 }, (_, i) => ({
      ...tent,
      id: i + 1,
      product_id: i % 900,
    }));
    const change = { current_subtotal_price: undefined, current_subtotal_price_set: undefined };
    const order = orderOf({ ...paid, ...change, line_items: lines });
    assert.equal(order.items.length, 900);
    assert.equal(
      order.items.reduce((sum, item) => sum + item.total, 0),
      144 * 2_000,
    );
  });
});
