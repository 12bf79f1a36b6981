/** An order of the fake shop. Amounts are cents. */
export interface FakeOrder {
  readonly id: number;
  readonly createdMs: number;
  updatedMs: number;
  readonly code: string | null;
  readonly ref: string | null;
  paid: boolean;
  shipped: boolean;
  cancelled: boolean;
  readonly lines: FakeLine[];
  readonly shipping: number;
  readonly refunds: FakeRefund[];
  /** Fields of the Admin API that differ from those of an ordinary order. */
  readonly fields: Record<string, unknown>;
}

export interface FakeLine {
  readonly id: number;
  readonly product: number;
  readonly price: number;
  readonly quantity: number;
}

export interface FakeRefund {
  readonly id: number;
  readonly atMs: number;
  readonly lines: readonly { line: FakeLine; quantity: number }[];
  /** What was paid back; null for lines that were removed before payment. */
  readonly amount: number | null;
}

const DISCOUNT = 0.1;
const TAX = 0.08;
const CURRENCY = 'USD';

const cents = (amount: number) => (amount / 100).toFixed(2);
const set = (amount: number) => {
  const money = { amount: cents(amount), currency_code: CURRENCY };
  return { shop_money: money, presentment_money: money };
};
const both = (name: string, amount: number) => ({
  [name]: cents(amount),
  [`${name}_set`]: set(amount),
});
/** Shopify tells times to the second. */
export const isoSecond = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

const discountOf = (order: FakeOrder, line: FakeLine) =>
  order.code === null ? 0 : Math.round(line.price * line.quantity * DISCOUNT);
const netOf = (order: FakeOrder, line: FakeLine) =>
  line.price * line.quantity - discountOf(order, line);
const taxOf = (order: FakeOrder, line: FakeLine) => Math.round(netOf(order, line) * TAX);

export function totalOf(order: FakeOrder): number {
  return sum(order.lines.map((line) => netOf(order, line) + taxOf(order, line))) + order.shipping;
}

/** What lines of a refund are worth. */
export function worthOf(order: FakeOrder, { lines }: Pick<FakeRefund, 'lines'>): number {
  return sum(lines.map((each) => partOf(order, each, netOf) + partOf(order, each, taxOf)));
}

function partOf(
  order: FakeOrder,
  { line, quantity }: FakeRefund['lines'][number],
  amountOf: (order: FakeOrder, line: FakeLine) => number,
): number {
  return Math.round((amountOf(order, line) * quantity) / line.quantity);
}

export function refundedOf(order: FakeOrder): number {
  return sum(order.refunds.map((refund) => refund.amount ?? 0));
}

/** The order as the Admin API and the webhooks have it. */
export function orderJson(order: FakeOrder): Record<string, unknown> {
  const goods = sum(order.lines.map((line) => netOf(order, line)));
  const taken = sum(
    order.refunds.flatMap(({ lines }) => lines.map((each) => partOf(order, each, netOf))),
  );
  const tax = sum(order.lines.map((line) => taxOf(order, line)));
  const refunded = refundedOf(order);
  const status =
    refunded === 0 ? 'paid' : refunded >= totalOf(order) ? 'refunded' : 'partially_refunded';
  return {
    id: order.id,
    admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
    name: `#${order.id % 10_000}`,
    created_at: isoSecond(order.createdMs),
    processed_at: isoSecond(order.createdMs),
    updated_at: isoSecond(order.updatedMs),
    cancelled_at: order.cancelled ? isoSecond(order.updatedMs) : null,
    closed_at: null,
    currency: CURRENCY,
    presentment_currency: CURRENCY,
    financial_status: order.paid ? status : 'pending',
    fulfillment_status: order.shipped ? 'fulfilled' : null,
    test: false,
    taxes_included: false,
    email: 'nina.berg@customer.example',
    billing_address: { country_code: 'CH' },
    customer: { id: 7_193_318_457_562, email: 'nina.berg@customer.example' },
    landing_site: order.ref === null ? '/' : `/products/tent?ref=${order.ref}`,
    landing_site_ref: order.ref,
    note_attributes: [],
    discount_codes:
      order.code === null ? [] : [{ code: order.code, amount: '0.00', type: 'percentage' }],
    ...both('subtotal_price', goods),
    ...both('current_subtotal_price', goods - taken),
    ...both('total_tax', tax),
    ...both('total_price', totalOf(order)),
    total_shipping_price_set: set(order.shipping),
    shipping_lines: [
      {
        id: 1,
        ...both('price', order.shipping),
        ...both('discounted_price', order.shipping),
        tax_lines: [],
      },
    ],
    line_items: order.lines.map((line) => lineJson(order, line)),
    refunds: order.refunds.map((refund) => refundJson(order, refund)),
    ...order.fields,
  };
}

function lineJson(order: FakeOrder, line: FakeLine): object {
  const returned = order.refunds.flatMap(({ lines }) => lines.filter((each) => each.line === line));
  return {
    id: line.id,
    product_id: line.product,
    quantity: line.quantity,
    current_quantity: line.quantity - sum(returned.map((each) => each.quantity)),
    requires_shipping: true,
    ...both('price', line.price),
    tax_lines: [{ rate: TAX, title: 'State Tax', ...both('price', taxOf(order, line)) }],
    discount_allocations:
      order.code === null
        ? []
        : [{ ...both('amount', discountOf(order, line)), discount_application_index: 0 }],
  };
}

export function refundJson(order: FakeOrder, refund: FakeRefund): object {
  const at = isoSecond(refund.atMs);
  const worth = worthOf(order, refund);
  const difference = worth - (refund.amount ?? worth);
  return {
    id: refund.id,
    order_id: order.id,
    created_at: at,
    processed_at: at,
    refund_line_items: refund.lines.map((each) => ({
      line_item_id: each.line.id,
      line_item: lineJson(order, each.line),
      quantity: each.quantity,
      restock_type: 'return',
      ...both('subtotal', partOf(order, each, netOf)),
      ...both('total_tax', partOf(order, each, taxOf)),
    })),
    refund_shipping_lines: [],
    order_adjustments:
      difference === 0
        ? []
        : [{ kind: 'refund_discrepancy', ...both('amount', difference), ...both('tax_amount', 0) }],
    transactions:
      refund.amount === null || refund.amount === 0
        ? []
        : [{ kind: 'refund', status: 'success', amount: cents(refund.amount), currency: CURRENCY }],
  };
}
