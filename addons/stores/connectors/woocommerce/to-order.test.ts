import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { answer, deliveries, delivery } from '../../test/woocommerce/recorded.ts';
import type { Mapped, MappingContext, StoreOrder } from '../connector.ts';
import { toOrder } from './to-order.ts';

/** A connection without keys: nothing can be asked. */
const receiving: MappingContext = {
  canAsk: false,
  isComplete: false,
  codeParameters: ['ref'],
  settings: {},
  currency: 'USD',
};
const asking: MappingContext = { ...receiving, canAsk: true };
const complete: MappingContext = { ...asking, isComplete: true };

const bodyOf = (position: string): Record<string, any> =>
  JSON.parse(delivery(position).body.toString()) as Record<string, any>;

function orderOf(payload: unknown, context = receiving, topic = 'order.updated'): StoreOrder {
  const mapped = toOrder(payload, context, topic);
  assert.equal(mapped.result, 'order', 'reason' in mapped ? mapped.reason : '');
  return mapped.order;
}

/** What the commission depends on, in one line. */
function summary(mapped: Mapped): string {
  if (mapped.result !== 'order') return mapped.result;
  const { order: o } = mapped;
  const items = o.items.map((i) => `${i.quantity}×${i.product_id} ${i.subtotal}→${i.total}`);
  const refunds = o.refunds.map(({ amount }) => `-${amount}`);
  return [
    `${o.external_id} ${o.status} ${o.currency} ${o.subtotal} -${o.discount} +${o.shipping} ship`,
    `+${o.tax} tax +${o.fees} fees = ${o.total} [${items.join(', ')}] ${o.coupon_codes.join(',')}`,
    refunds.length > 0 ? `refunds ${refunds.join(' ')}` : '',
  ]
    .join(' ')
    .replace(/ +/g, ' ')
    .trimEnd();
}

test('every recorded delivery gives what its line in the table says', () => {
  const table = new URL('../../test/woocommerce/recorded/orders.txt', import.meta.url);
  const expected = readFileSync(table, 'utf8').trimEnd().split('\n');
  const actual = deliveries.flatMap(({ name, headers, body }) => {
    const topic = headers['x-wc-webhook-topic'];
    if (topic === undefined) return [];
    const mapped = toOrder(JSON.parse(body.toString()), receiving, topic);
    return [`${name.slice(0, 3)} ${topic}: ${summary(mapped)}`];
  });
  assert.deepEqual(actual, expected);
});

test('a line keeps the name of its product, as much as an order can have', () => {
  const [line] = bodyOf('031')['line_items'];
  const nameOf = (name: unknown) =>
    orderOf({ ...bodyOf('031'), line_items: [{ ...line, name }] }).items[0]!.name;
  assert.equal(nameOf('Beeswax candle'), 'Beeswax candle');
  assert.equal(nameOf('x'.repeat(300)), 'x'.repeat(200));
  assert.deepEqual([nameOf(''), nameOf(5), nameOf('a\0')], [undefined, undefined, undefined]);
});

test('the number that a plugin gives an order is kept, and the one of WooCommerce is its id', () => {
  const payload = bodyOf('031');
  assert.equal(orderOf(payload).number, undefined);
  assert.equal(orderOf({ ...payload, number: 'SO-2026-17' }).number, 'SO-2026-17');
  assert.equal(orderOf({ ...payload, number: 'x'.repeat(101) }).number, undefined);
});

describe('deliveries', () => {
  test('updated and created of the same checkout give the same order', () => {
    assert.deepEqual(orderOf(bodyOf('031')), orderOf(bodyOf('032'), receiving, 'order.created'));
  });

  test('an error in place of the order is ignored: its order was deleted', () => {
    for (const what of ['order', 'coupon']) {
      const error = {
        code: `woocommerce_rest_shop_${what}_invalid_id`,
        message: 'Invalid ID.',
        data: { status: 404 },
      };
      assert.equal(toOrder(error, asking, 'order.updated').result, 'ignored');
    }
  });

  test('deliveries about coupons, products and customers change no order', () => {
    // Sent for a coupon, a product and a page in the trash.
    for (const position of ['133', '138', '139', '140']) {
      const topic = delivery(position).headers['x-wc-webhook-topic']!;
      assert.equal(toOrder(bodyOf(position), asking, topic).result, 'ignored');
    }
    assert.equal(toOrder({ id: 1 }, asking, 'customer.deleted').result, 'ignored');
  });

  test('a deleted order is believed only after asking, if that is possible', () => {
    const only = { externalId: '40', reason: 'The shop has deleted the order.' };
    assert.deepEqual(toOrder(bodyOf('101'), asking, 'order.deleted'), { result: 'ask', ...only });
    assert.deepEqual(toOrder(bodyOf('101'), receiving, 'order.deleted'), {
      result: 'gone',
      ...only,
    });
    // The answer, under the same topic: in the trash, and restored in the meantime.
    assert.equal(orderOf(answer('102'), complete, 'order.deleted').status, 'cancelled');
    assert.equal(orderOf(bodyOf('103'), complete, 'order.deleted').status, 'completed');
  });

  test('an order that was in the trash before it was sent earns nothing', () => {
    assert.equal(orderOf(bodyOf('146'), receiving, 'order.created').status, 'cancelled');
    assert.equal(toOrder(bodyOf('148'), receiving, 'order.deleted').result, 'gone');
  });

  test('anything else is kept as failed, with the reason', () => {
    const order = bodyOf('032');
    const cases: [unknown, RegExp][] = [
      [null, /not a JSON object/],
      [[order], /not a JSON object/],
      ['text', /not a JSON object/],
      [{}, /no order id/],
      [{ ...order, id: 'x' }, /no order id/],
      [{ ...order, id: 2 ** 60 }, /no order id/],
      [{ ...order, status: 3 }, /no status/],
      [{ ...order, currency: 'dollars' }, /no currency/],
      [{ ...order, total: 'free' }, /total .* not an amount/],
      [{ ...order, total: '1e60' }, /total .* not an amount/],
      [{ ...order, date_created_gmt: null }, /no date_created_gmt/],
      [{ ...order, line_items: { a: 1 } }, /line_items .* not a list/],
      [{ ...order, line_items: [null] }, /line_items .* not a list/],
      [{ ...order, refunds: 'none' }, /refunds .* not a list/],
      [{ ...order, meta_data: 7 }, /meta_data .* not a list/],
      [{ ...order, line_items: products(1_001) }, /1001 different products/],
    ];
    for (const [payload, reason] of cases) {
      const mapped = toOrder(payload, receiving, 'order.updated');
      assert.equal(mapped.result, 'failed', String(reason));
      assert.match('reason' in mapped ? mapped.reason : '', reason);
    }
  });

  test('an order of thousands of lines is mapped, with the lines of a product merged', () => {
    const lines = [...products(600), ...products(600), ...products(600)];
    const { items, subtotal } = orderOf({ ...bodyOf('032'), line_items: lines });
    assert.equal(items.length, 600);
    assert.deepEqual(items[0], { product_id: '1', quantity: 6, subtotal: 6.03, total: 6 });
    assert.equal(subtotal, 3618);
  });
});

const products = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    product_id: i + 1,
    quantity: 2,
    subtotal: '2.01',
    total: '2.00',
  }));

describe('statuses', () => {
  const status = (given: string, more: object = {}, settings = {}) =>
    orderOf({ ...bodyOf('032'), status: given, ...more }, { ...receiving, settings }).status;

  test('of the shop are those of an order; of plugins by the setting, else by payment', () => {
    for (const same of ['pending', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed']) {
      assert.equal(status(same), same);
    }
    assert.equal(status('shipped', { date_paid_gmt: null }), 'pending');
    assert.equal(status('shipped', { date_paid_gmt: '2026-11-15T17:51:13' }), 'processing');
    assert.equal(status('shipped', {}, { statuses: { shipped: 'completed' } }), 'completed');
    assert.equal(status('shipped', {}, { statuses: { shipped: 'nonsense' } }), 'pending');
  });

  test('of carts and drafts are no order yet', () => {
    for (const draft of ['auto-draft', 'checkout-draft']) {
      const mapped = toOrder({ ...bodyOf('032'), status: draft }, receiving, 'order.updated');
      assert.equal(mapped.result, 'ignored');
    }
  });

  test('cancelled after payment has no refund, and refunded set back keeps its own', () => {
    const cancelled = orderOf(bodyOf('058'));
    assert.equal(cancelled.status, 'cancelled');
    assert.deepEqual(cancelled.refunds, []);
    const [byHand, back] = [orderOf(bodyOf('086')), orderOf(bodyOf('088'))];
    assert.deepEqual([byHand.status, back.status], ['refunded', 'completed']);
    assert.deepEqual(back.refunds, byHand.refunds);
    assert.equal(back.refunds[0]?.amount, back.total);
  });
});

describe('money', () => {
  test('has the decimals of the currency, whatever the setting of the shop is', () => {
    const yen = orderOf(bodyOf('111'));
    assert.deepEqual([yen.total, yen.tax, yen.items[0]?.total], [2923, 223, 2700]);
    // The same order, read with 0 and later with 2 decimals.
    assert.equal(orderOf(answer('118')).total, orderOf(answer('126')).total);
    assert.deepEqual([orderOf(bodyOf('122')).total, orderOf(answer('127')).total], [24.319, 24.32]);
    assert.deepEqual(orderOf(answer('128'), complete).total, 24.32);
  });

  test('the discount is the total of the shop, not the sum of the coupons', () => {
    assert.equal(orderOf(bodyOf('044')).discount, 8.53);
    assert.equal(orderOf(bodyOf('094')).discount, 0);
  });

  test('lines are without tax where prices include it, and keep their total when edited', () => {
    const { items, subtotal } = orderOf(bodyOf('044'));
    assert.deepEqual([items[0]?.total, items[1]?.total, subtotal], [15.22, 19.43, 43.18]);
    assert.deepEqual(orderOf(bodyOf('093')).items[0], {
      name: 'Mug',
      product_id: '10',
      quantity: 4,
      subtotal: 20,
      total: 18,
    });
  });

  test('fees below zero are a discount on the products, in proportion', () => {
    const { fees, discount, total, items } = orderOf(bodyOf('049'));
    assert.deepEqual([fees, discount, total, items[0]?.total], [3, 8, 44.28, 32]);
    const [line] = bodyOf('049')['line_items'];
    const three = ['10.00', '10.00', '5.01'].map((each, i) => ({
      ...line,
      id: i + 1,
      product_id: i + 1,
      subtotal: each,
      total: each,
    }));
    const reduced = (rebate: string) =>
      orderOf({
        ...bodyOf('049'),
        line_items: three,
        fee_lines: [{ total: rebate, total_tax: '0.00' }],
      }).items.map((item) => item.total);
    assert.deepEqual(reduced('-1.00'), [9.6, 9.6, 4.81]);
    assert.deepEqual(reduced('-90.00'), [0, 0, 0]);
  });

  test('nothing is negative, and fractions of a piece count as one', () => {
    const order = bodyOf('032');
    const line = { ...order['line_items'][0], quantity: 1.5, total: '-3.00' };
    const { items, tax } = orderOf({ ...order, total_tax: '-0.10', line_items: [line] });
    assert.deepEqual([items[0]?.quantity, items[0]?.total, tax], [2, 0, 0]);
  });
});

describe('refunds', () => {
  /** As `fetchOrder` answers: the refunds of the order with their lines. */
  const withLines = () => ({ ...bodyOf('068'), refunds: answer('070') });

  test('lines are fetched, if that is possible', () => {
    const asked = toOrder(bodyOf('064'), asking, 'order.updated');
    assert.equal(asked.result === 'ask' && asked.externalId, '31');
    assert.equal(toOrder(withLines(), asking, 'order.updated').result, 'order');
    assert.equal(toOrder(bodyOf('032'), asking, 'order.updated').result, 'order');
  });

  test('by line, by amount only, and of shipping with money on a line of quantity 0', () => {
    assert.deepEqual(orderOf(withLines(), complete).refunds, [
      {
        id: '32',
        date: '2026-11-15T17:53:36Z',
        amount: 19.49,
        tax: 1.49,
        items: [{ product_id: '10', quantity: 1, total: 18 }],
      },
      { id: '33', date: '2026-11-15T17:53:40Z', amount: 5 },
      {
        id: '34',
        date: '2026-11-15T17:53:43Z',
        amount: 8.39,
        shipping: 5.9,
        tax: 0.49,
        items: [{ product_id: '11', quantity: 0, total: 2 }],
      },
    ]);
  });

  test('without keys, by the gross amount, of which no part is named', () => {
    assert.deepEqual(orderOf(bodyOf('064')).refunds, [{ id: '32', amount: 19.49 }]);
  });

  test('a fee below zero that is taken back reduces the refund of the products', () => {
    const [refund] = answer('070') as Record<string, any>[];
    const fee_lines = [{ total: '0.50', total_tax: '0.04' }];
    const { refunds } = orderOf(
      { ...bodyOf('068'), refunds: [{ ...refund, fee_lines }] },
      complete,
    );
    assert.partialDeepStrictEqual(refunds[0], { tax: 0.45, items: [{ total: 1.5 }] });
    assert.equal(refunds[0]?.fees, undefined);
  });

  test('a deleted refund leaves the time of change alone', () => {
    const [before, after] = [orderOf(answer('069')), orderOf(answer('074'))];
    assert.equal(before.date_modified, after.date_modified);
    assert.deepEqual([before.refunds.length, after.refunds.length], [3, 2]);
  });

  test('name the product of the order line, also when it was deleted since', () => {
    const [refund] = answer('070') as Record<string, any>[];
    const line = { ...refund!['line_items'][0], product_id: 0 };
    const { refunds } = orderOf({
      ...bodyOf('068'),
      refunds: [{ ...refund, line_items: [line] }],
    });
    assert.equal(refunds[0]?.items?.[0]?.product_id, '11');
  });
});

describe('attribution', () => {
  test('codes in lower case, and with entities decoded', () => {
    assert.deepEqual(orderOf(bodyOf('039')).coupon_codes, ['ada10', 'five', 'mug2']);
    const coded = (...codes: unknown[]) =>
      orderOf({ ...bodyOf('032'), coupon_lines: codes.map((code) => ({ id: 1, code })) })
        .coupon_codes;
    const odd = (answer('018') as { code: string }).code;
    assert.deepEqual(coded(odd, 'r&amp;b', 'a&amp;lt;b', 'it&#039;s'), [
      'zwölf & "quote"',
      'r&b',
      'a&lt;b',
      "it's",
    ]);
    assert.deepEqual(coded('a', 'a', ' ', 7, 'c'.repeat(51)), ['a']);
  });

  test('the landing page with ?ref= names the referral link', () => {
    assert.equal(orderOf(bodyOf('039')).referral_code, 'ada10');
    const none = orderOf(bodyOf('039'), { ...receiving, codeParameters: ['via'] });
    assert.equal(none.referral_code, undefined);
    assert.equal(orderOf(bodyOf('032')).referral_code, undefined);
  });

  test('of a customer only the address and the name are taken', () => {
    const order = orderOf(bodyOf('201'));
    assert.deepEqual(Object.keys(order.customer ?? {}), ['email', 'name']);
    assert.ok(!JSON.stringify(order).includes('San Francisco'));
    assert.equal(orderOf({ ...bodyOf('032'), billing: {} }).customer, undefined);
  });
});
