import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc } from '../../../../test/support/seeded-random.ts';
import { directShop } from '../../test/direct-shop.ts';
import { orderJson } from '../../test/shopify/fake-orders.ts';
import { CLIENT, FakeShopify } from '../../test/shopify/fake-shopify.ts';
import { inclusive, map, paid, refund } from '../../test/shopify/samples.ts';
import { fetchOrder } from './orders.ts';

const fake = await FakeShopify.open();
after(() => fake.api.close());
const shop = directShop({ url: fake.api.url, credentials: CLIENT, nowMs: fake.nowMs });

const cents = fc.integer({ min: 0, max: 30_000 }).map((amount) => (amount / 100).toFixed(2));
const set = (amount: string, other = amount) => ({
  shop_money: { amount, currency_code: 'USD' },
  presentment_money: { amount: other, currency_code: 'CHF' },
});
const attribute = fc.record({
  name: fc.constantFrom('ref', 'click_id', 'Gift', '_subscription_id', 'contract_id'),
  value: fc.constantFrom('MAYA10', '42', 'gid://shopify/SubscriptionContract/42'),
});
const line = fc.record({
  id: fc.integer({ min: 1, max: 9 }),
  product_id: fc.constantFrom(101, 102, null),
  title: fc.constantFrom('Ridge tent', 'Trail mat'),
  quantity: fc.integer({ min: 1, max: 5 }),
  current_quantity: fc.integer({ min: 0, max: 5 }),
  requires_shipping: fc.boolean(),
  price_set: cents.map((amount) => set(amount)),
  discount_allocations: fc.array(fc.record({ amount_set: cents.map((each) => set(each)) }), {
    maxLength: 3,
  }),
  tax_lines: fc.array(fc.record({ price_set: cents.map((each) => set(each)) }), { maxLength: 3 }),
  properties: fc.array(attribute, { maxLength: 2 }),
  selling_plan_allocation: fc.constantFrom(undefined, { selling_plan: { id: 33 } }),
});
const returned = fc.record({
  id: fc.integer({ min: 1, max: 999 }),
  created_at: fc.constant('2026-09-20T09:15:00-04:00'),
  processed_at: fc.constant('2026-09-20T09:16:00-04:00'),
  refund_line_items: fc.array(
    fc.record({
      line_item_id: fc.integer({ min: 1, max: 9 }),
      quantity: fc.integer({ min: 0, max: 5 }),
      subtotal_set: cents.map((each) => set(each)),
      total_tax_set: cents.map((each) => set(each)),
    }),
    { maxLength: 8 },
  ),
  refund_shipping_lines: fc.array(
    fc.record({ subtotal_amount_set: cents.map((each) => set(each)) }),
    { maxLength: 3 },
  ),
  order_adjustments: fc.array(
    fc.record({
      kind: fc.constant('refund_discrepancy'),
      amount_set: cents.map((each) => set(each)),
      tax_amount_set: cents.map((each) => set(each)),
    }),
    { maxLength: 4 },
  ),
  transactions: fc.array(
    fc.record({
      kind: fc.constantFrom('refund', 'void', 'sale'),
      status: fc.constantFrom('success', 'pending', 'failure', 'error'),
      amount: cents,
      currency: fc.constantFrom('USD', 'CHF'),
    }),
    { maxLength: 4 },
  ),
});
const address = fc.constantFrom(null, paid.billing_address, { country_code: 'CH' });
const fields = fc.record({
  financial_status: fc.constantFrom('pending', 'paid', 'partially_refunded', 'refunded', 'voided'),
  fulfillment_status: fc.constantFrom(null, 'fulfilled'),
  cancelled_at: fc.constantFrom(null, null, '2026-09-16T00:00:00+02:00'),
  closed_at: fc.constantFrom(null, '2026-09-16T00:00:00+02:00'),
  processed_at: fc.constantFrom('2026-09-14T11:02:39-04:00', '2026-03-29T02:30:00Z'),
  source_name: fc.constantFrom('web', 'subscription_contract'),
  taxes_included: fc.boolean(),
  test: fc.constantFrom(false, false, false, true),
  email: fc.constantFrom(null, 'nina.berg@customer.example'),
  customer: fc.constantFrom(null, paid.customer, {
    id: 7,
    email: 'other@customer.example',
    default_address: { country_code: 'DE' },
  }),
  billing_address: address,
  shipping_address: address,
  landing_site: fc.constantFrom(null, '/', '/products/tent?ref=JONAS&click_id=7'),
  landing_site_ref: fc.constantFrom(null, 'JONAS'),
  note_attributes: fc.array(attribute, { maxLength: 3 }),
  discount_codes: fc.subarray([{ code: 'MAYA10' }, { code: 'ÉTÉ 20' }]),
  subtotal_price_set: cents.map((each) => set(each)),
  current_subtotal_price_set: cents.map((each) => set(each)),
  total_tax_set: cents.map((each) => set(each)),
  total_shipping_price_set: cents.map((each) => set(each)),
  total_price_set: fc.tuple(cents, cents).map(([own, other]) => set(own, other)),
  line_items: fc.uniqueArray(line, { maxLength: 9, selector: ({ id }) => id }),
  shipping_lines: fc.array(
    fc.record({
      discounted_price_set: cents.map((each) => set(each)),
      tax_lines: fc.array(fc.record({ price_set: cents.map((each) => set(each)) })),
    }),
    { maxLength: 4 },
  ),
  refunds: fc.uniqueArray(returned, { maxLength: 11, selector: ({ id }) => id }),
});

/** Places an order with these fields of deliveries, and compares what is read with what is delivered. */
async function assertSame(given: Record<string, unknown>): Promise<void> {
  fake.orders.clear();
  const order = fake.place({ fields: given });
  const delivered = orderJson(order);
  assert.deepEqual(map(await fetchOrder(shop, String(order.id)), 'sync'), map(delivered));
}

test('an order that is read is the order that is delivered', async () => {
  await fc.assert(fc.asyncProperty(fields, assertSame), { numRuns: 60, endOnFailure: true });
});

for (const [name, sample] of Object.entries({
  paid,
  inclusive,
  'partly refunded': { ...paid, refunds: [refund] },
  'refunded in the currency of the customer': {
    ...inclusive,
    refunds: [
      { ...refund, transactions: [{ ...refund.transactions[0], amount: '1.5', currency: 'CHF' }] },
    ],
  },
})) {
  test(`the same of an order as Shopify sends it: ${name}`, async () => {
    const { id: _, ...rest } = sample;
    await assertSame(rest);
  });
}
